package import Foundation
import KinemaCore
import KinemaHTTP
import Synchronization

/// What a session has counted at a moment.
package struct SessionStanding: Sendable, Equatable {
    package var count = 0
    package var exercise: String?
    package var title: String?
    /// Seconds of a position that is held.
    package var held = 0.0
    /// The advice that is shown.
    package var cues: [String] = []

    package init(
        count: Int = 0, exercise: String? = nil, title: String? = nil, held: Double = 0, cues: [String] = []
    ) {
        (self.count, self.exercise, self.title) = (count, exercise, title)
        (self.held, self.cues) = (held, cues)
    }
}

/// The live sessions of all phones and pages, for the page that shows them at once and for `/now`.
package final class Room: Sendable {
    /// A session as a tile.
    package struct Tile: Sendable, Encodable, Equatable {
        package let id: String
        package var session: UUID
        package var name: String
        package var phone: String?
        package var mode: String
        package var exercise: String?
        package var title: String?
        package var count = 0
        package var held = 0.0
        package var target: Int?
        package var state = "connecting"
        package var message = ""
        package var cues: [String] = []
        /// The session of the set that this one is another view of.
        package var beside: String?
        package var began: String
        package var seconds = 0.0
        package var framesPerSecond: Double?
        package var milliseconds: Double?
        package var width = 0
        package var height = 0
    }

    package struct Snapshot: Sendable, Encodable, Equatable {
        package var now: String?
        package var chosen: String?
        package var sessions: [Tile]
    }

    private struct Entry {
        var tile: Tile
        let link: String?
        let began: ContinuousClock.Instant
        var ended: ContinuousClock.Instant?
        /// The state to return to when a lost phone is back.
        var stateBeforeLoss: String?
        var frames = 0
        var window: ContinuousClock.Instant
        /// When its first frame was taken, by the frame that came with the least delay.
        var zero: ContinuousClock.Instant?
        /// The set that this is another view of, also when that is no longer shown, and the seconds between their beginnings.
        var set: UUID?
        var offset = 0.0
    }

    private struct State {
        var entries: [Entry] = []
        var chosen: String?
        var subscribers: [Int: Subscriber] = [:]
        var next = 0
    }

    private struct Subscriber {
        let phone: String?
        let changed: AsyncStream<Void>.Continuation
    }

    /// Phones that are analysed at once.
    package let mostPhones: Int
    /// How long an ended session stays visible.
    private let memory: Duration
    private let state = Mutex(State())

    /// Tiles of ended sessions that are kept at most.
    private static let mostEnded = 32

    package init(
        mostPhones: Int = 2 * max(1, ProcessInfo.processInfo.activeProcessorCount), memory: Duration = .seconds(60)
    ) {
        (self.mostPhones, self.memory) = (mostPhones, memory)
    }

    // MARK: Sessions

    /// Adds a session; nil if it is a phone's and as many as possible are being analysed.
    func begin(
        _ session: UUID, name: String, phone: String?, link: String?, mode: String, target: Int?,
        partner: String? = nil,
        at now: ContinuousClock.Instant = .now, date: Date = Date()
    ) -> String? {
        let id = RandomID.make()
        let tile = Tile(
            id: id, session: session, name: name, phone: phone, mode: mode, target: target,
            began: date.formatted(.iso8601))
        return change { state in
            if let phone {
                let busy = state.entries.filter { $0.ended == nil }.compactMap(\.tile.phone)
                // A phone has the set that it does, and one whose network was lost.
                guard Set(busy + [phone]).count <= mostPhones, busy.count(where: { $0 == phone }) < 2 else {
                    return nil
                }
            }
            var entry = Entry(tile: tile, link: link, began: now, window: now)
            // Who only stands in view until a set begins is no part of one.
            if let partner, mode != "poses",
                let set = state.entries.last(where: {
                    $0.tile.phone == partner && $0.ended == nil && $0.tile.mode != "poses" && $0.tile.beside == nil
                })
            {
                (entry.tile.beside, entry.set) = (set.tile.id, set.tile.session)
            }
            state.entries.append(entry)
            return id
        }
    }

    func update(
        _ id: String, _ standing: SessionStanding?, time: Double = 0, milliseconds: Double, width: Int, height: Int,
        at now: ContinuousClock.Instant = .now
    ) {
        change(id) { entry in
            if let standing {
                entry.tile.count = standing.count
                entry.tile.held = (standing.held * 10).rounded() / 10
                entry.tile.cues = standing.cues
                (entry.tile.exercise, entry.tile.title) = (standing.exercise, standing.title)
            }
            (entry.tile.width, entry.tile.height) = (width, height)
            entry.tile.milliseconds = (milliseconds * 10).rounded() / 10
            entry.frames += 1
            let zero = now - .milliseconds(milliseconds) - .seconds(time)
            entry.zero = entry.zero.map { min($0, zero) } ?? zero
            let passed = (now - entry.window) / .seconds(1)
            if passed >= 1 {
                entry.tile.framesPerSecond = (Double(entry.frames) / passed * 10).rounded() / 10
                (entry.frames, entry.window) = (0, now)
            }
        }
    }

    func report(_ id: String, _ name: String, _ message: String) {
        change(id) { ($0.tile.state, $0.tile.message) = (name, message) }
    }

    /// The set that a session is another view of, and the seconds from its first frame to the session's; nil for a set of
    /// its own.
    func set(of id: String) -> (session: UUID, offset: Double)? {
        state.withLock { state in
            guard let entry = state.entries.first(where: { $0.tile.id == id }), let session = entry.set else {
                return nil
            }
            let other = state.entries.first { $0.tile.id == entry.tile.beside }
            guard let zero = entry.zero, let first = other?.zero else { return (session, entry.offset) }
            return (session, (zero - first) / .seconds(1))
        }
    }

    func end(_ id: String, session: UUID, at now: ContinuousClock.Instant = .now) {
        change { state in
            for place in state.entries.indices where state.entries[place].tile.beside == id {
                state.entries[place].set = session
                if let zero = state.entries[place].zero,
                    let first = state.entries.first(where: { $0.tile.id == id })?.zero
                {
                    state.entries[place].offset = (zero - first) / .seconds(1)
                }
            }
        }
        change(id) { entry in
            entry.tile.seconds = Self.seconds(entry, now)
            (entry.tile.state, entry.tile.message, entry.tile.session) = ("ended", "", session)
            entry.ended = now
        }
    }

    /// Marks the session of a phone's connection as lost, or as back.
    func mark(link: String, isLost: Bool) {
        change { state in
            for place in state.entries.indices where state.entries[place].link == link {
                guard state.entries[place].ended == nil else { continue }
                let before = state.entries[place].stateBeforeLoss
                if isLost, before == nil {
                    state.entries[place].stateBeforeLoss = state.entries[place].tile.state
                    state.entries[place].tile.state = "lost"
                } else if !isLost, let before {
                    state.entries[place].stateBeforeLoss = nil
                    state.entries[place].tile.state = before
                }
            }
        }
    }

    /// Chooses the session that `/now` shows, nil for the newest; false if it is unknown.
    func choose(_ id: String?) -> Bool {
        change { state in
            guard id == nil || state.entries.contains(where: { $0.tile.id == id }) else { return false }
            state.chosen = id
            return true
        }
    }

    /// The running session of a phone.
    func session(of phone: String) -> UUID? {
        state.withLock { $0.entries.last { $0.tile.phone == phone && $0.ended == nil }?.tile.session }
    }

    var phonesAtWork: Int {
        state.withLock { Set($0.entries.filter { $0.ended == nil }.compactMap(\.tile.phone)).count }
    }

    // MARK: Views

    package func snapshot(at now: ContinuousClock.Instant = .now) -> Snapshot {
        state.withLock { state in
            state.entries.removeAll { entry in entry.ended.map { now - $0 > memory } ?? false }
            if let chosen = state.chosen, !state.entries.contains(where: { $0.tile.id == chosen }) {
                state.chosen = nil
            }
            let tiles = state.entries.map { entry in
                var tile = entry.tile
                if entry.ended == nil { tile.seconds = Self.seconds(entry, now) }
                return tile
            }
            let sets = state.entries.filter { $0.tile.beside == nil }
            let running = sets.last { $0.ended == nil } ?? sets.last
            return Snapshot(now: state.chosen ?? running?.tile.id, chosen: state.chosen, sessions: tiles)
        }
    }

    private static func seconds(_ entry: Entry, _ now: ContinuousClock.Instant) -> Double {
        ((now - entry.began) / .seconds(1) * 10).rounded() / 10
    }

    /// A signal at once and after each change, until the stream is dropped or the phone is revoked.
    func changes(for phone: String?) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.next += 1
            state.subscribers[state.next] = Subscriber(phone: phone, changed: continuation)
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in state.subscribers[number] = nil }
        }
        continuation.yield()
        return stream
    }

    /// Ends the streams of a phone, or of all phones; the owner's go on.
    func endChanges(of phone: String? = nil) {
        let ended = state.withLock { state in
            state.subscribers.values.filter { $0.phone != nil && (phone == nil || $0.phone == phone) }
        }
        for subscriber in ended { subscriber.changed.finish() }
    }

    private func change(_ id: String, _ body: (inout Entry) -> Void) {
        change { state in
            guard let place = state.entries.firstIndex(where: { $0.tile.id == id }) else { return }
            body(&state.entries[place])
        }
    }

    @discardableResult
    private func change<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
        let (value, subscribers) = state.withLock { state in
            let value = body(&state)
            while state.entries.count(where: { $0.ended != nil }) > Self.mostEnded,
                let oldest = state.entries.firstIndex(where: { $0.ended != nil })
            {
                state.entries.remove(at: oldest)
            }
            return (value, Array(state.subscribers.values))
        }
        for subscriber in subscribers { subscriber.changed.yield() }
        return value
    }
}

/// The sender of live sessions: a page of the owner, or a phone; and the room that shows them.
package struct LiveSender: Sendable {
    /// Nil for the owner.
    package let phone: Phone?
    private let link: String?
    private let room: Room?
    private let registry: PhoneRegistry?

    /// The owner's page, whose sessions no room shows.
    package static let owner = LiveSender(room: nil)

    package init(room: Room?) { (phone, link, registry, self.room) = (nil, nil, nil, room) }

    init(_ phone: Phone, link: String, room: Room, registry: PhoneRegistry) {
        (self.phone, self.link, self.room, self.registry) = (phone, link, room, registry)
    }

    /// Whether a stored session may be continued: a phone continues only what it recorded.
    package func mayContinue(_ session: UUID) -> Bool {
        guard let phone, let registry else { return true }
        return registry.owns(phone.id, session)
    }

    package var mostPhones: Int { room?.mostPhones ?? 0 }

    /// The session's place in the room; nil if as many phones are analysed as this machine can.
    package func begin(_ session: UUID, name: String?, mode: String, target: Int?) -> RoomPlace? {
        guard let room else { return RoomPlace() }
        let known = phone.flatMap { registry?.phone($0.id) }?.name ?? "Studio"
        let shown = name.flatMap(PhoneRegistry.name) ?? known
        guard
            let tile = room.begin(
                session, name: shown, phone: phone?.id, link: link, mode: mode, target: target,
                partner: phone.flatMap { registry?.phone($0.id) }?.partner)
        else { return nil }
        let place = RoomPlace(room, tile, phone?.id, registry)
        place.own(session)
        return place
    }
}

/// Where a running session reports to.
package struct RoomPlace: Sendable {
    private let room: Room?
    private let tile: String
    private let phone: String?
    private let registry: PhoneRegistry?

    /// Reports to nobody.
    package init() { (room, tile, phone, registry) = (nil, "", nil, nil) }

    init(_ room: Room, _ tile: String, _ phone: String?, _ registry: PhoneRegistry?) {
        (self.room, self.tile, self.phone, self.registry) = (room, tile, phone, registry)
    }

    package func update(_ standing: SessionStanding?, time: Double, milliseconds: Double, width: Int, height: Int) {
        room?.update(tile, standing, time: time, milliseconds: milliseconds, width: width, height: height)
    }

    /// The set that this session is another view of, and the seconds from its first frame to this one's.
    package var set: (session: UUID, offset: Double)? { room?.set(of: tile) }

    package func report(_ state: String, _ message: String) { room?.report(tile, state, message) }

    /// The end; the session may have been stored under another id.
    package func end(_ session: UUID) {
        room?.end(tile, session: session)
        own(session)
    }

    fileprivate func own(_ session: UUID) { if let phone { registry?.record(session, of: phone) } }
}
