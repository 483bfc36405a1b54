package import AsyncAlgorithms
import Foundation
package import KinemaHTTP
import NIOHTTP1
import Synchronization

/// One phone's live connection, which outlives its network: sockets and requests carry it in turn.
package final class PhoneLink: LiveSocket {
    package typealias Messages = AsyncThrowingChannel<SocketMessage, any Error>

    /// What a reader waits for.
    enum Wanted: Sendable, Equatable {
        case anything
        /// The answer to the frame with this number, or to a later one.
        case frame(UInt32)
    }

    private struct Reader {
        let id: Int
        let wanted: Wanted
        let continuation: CheckedContinuation<[SocketMessage]?, Never>
    }

    private struct State {
        var hello: String?
        var waiting: [SocketMessage] = []
        /// The newest frame that was answered.
        var settled: UInt32?
        var readers: [Reader] = []
        var next = 0
        /// The socket that carries the link; nil if none does.
        var socket: Int?
        /// Requests in progress.
        var requests = 0
        /// Whether a socket or a request has carried it before.
        var wasCarried = false
        var lastSeen = ContinuousClock.now
        var isLost = false
        var close: WebSocketClose?
        var rate: TokenBucket
    }

    package let key = RandomID.make()
    let phone: String
    package let messages = Messages()
    private let state: Mutex<State>
    private let limits: LinkLimits
    private let onLoss: @Sendable (_ key: String, _ isLost: Bool) -> Void

    init(
        phone: String, limits: LinkLimits, onLoss: @escaping @Sendable (_ key: String, _ isLost: Bool) -> Void
    ) {
        (self.phone, self.limits, self.onLoss) = (phone, limits, onLoss)
        state = Mutex(State(rate: TokenBucket(perSecond: limits.messagesPerSecond, burst: limits.messageBurst)))
    }

    // MARK: The session's side

    /// Whether messages wait and nobody reads them.
    package var isBehind: Bool {
        state.withLock { !$0.waiting.isEmpty && $0.readers.isEmpty && $0.requests == 0 }
    }

    package func send(_ message: SocketMessage) async throws {
        try post(message)
    }

    private func post(_ message: SocketMessage) throws {
        let ready = try state.withLock { state -> [(Reader, [SocketMessage]?)] in
            guard state.close == nil else { throw LinkEnd() }
            var message = message
            if case .text(let text) = message {
                if state.hello == nil, text.hasPrefix(#"{"type":"hello""#) {
                    state.hello = text
                    message = .text(hello(text, isResumed: false))
                }
                if let sequence = Self.settledFrame(text) { state.settled = max(state.settled ?? 0, sequence) }
            }
            state.waiting.append(message)
            // The phone is away: what is oldest helps it least.
            if state.waiting.count > limits.waitingMessages { state.waiting.removeFirst() }
            return Self.served(&state)
        }
        for (reader, batch) in ready { reader.continuation.resume(returning: batch) }
    }

    package func close(code: UInt16, reason: String) async { end(WebSocketClose(code, nil, reason)) }

    /// Ends the link; the session ends and is kept.
    package func end(_ reason: WebSocketClose) {
        let readers = state.withLock { state -> [(Reader, [SocketMessage]?)] in
            if state.close == nil { state.close = reason }
            var rest: [SocketMessage]? = state.waiting.isEmpty ? nil : state.waiting
            defer { (state.readers, state.waiting) = ([], rest ?? []) }
            return state.readers.map { reader in
                defer { rest = nil }
                return (reader, rest)
            }
        }
        for (reader, batch) in readers { reader.continuation.resume(returning: batch) }
        messages.finish()
    }

    var closing: WebSocketClose? { state.withLock { $0.close } }

    // MARK: The network's side

    /// Gives a message to the session; throws `too-fast` above the permitted rate.
    func deliver(_ message: SocketMessage) async throws(HTTPError) {
        guard state.withLock({ $0.rate.admits(at: .now) }) else {
            throw HTTPError(.tooManyRequests, "too-fast", "Too many messages per second.")
        }
        await messages.send(message)
    }

    /// The waiting messages, after what is wanted has come or the time is over; nil after the end, and for a socket that
    /// another has replaced.
    func take(_ wanted: Wanted, within time: Duration? = nil, socket: Int? = nil) async -> [SocketMessage]? {
        let id = state.withLock { state in
            state.next += 1
            return state.next
        }
        let timer = time.map { time in
            Task { [weak self] in
                try await Task.sleep(for: time)
                self?.release(id)
            }
        }
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state -> [(Reader, [SocketMessage]?)] in
                    let reader = Reader(id: id, wanted: wanted, continuation: continuation)
                    if let socket, state.socket != socket { return [(reader, nil)] }
                    if state.close != nil {
                        defer { state.waiting = [] }
                        return [(reader, state.waiting.isEmpty ? nil : state.waiting)]
                    }
                    if Task.isCancelled { return [(reader, [])] }
                    state.readers.append(reader)
                    return Self.served(&state)
                }
                for (reader, batch) in ready { reader.continuation.resume(returning: batch) }
            }
        } onCancel: {
            release(id, empty: true)
        }
    }

    /// Lets a reader go with what is there.
    private func release(_ id: Int, empty: Bool = false) {
        let found = state.withLock { state -> (Reader, [SocketMessage])? in
            guard let place = state.readers.firstIndex(where: { $0.id == id }) else { return nil }
            let reader = state.readers.remove(at: place)
            guard !empty else { return (reader, []) }
            defer { state.waiting = [] }
            return (reader, state.waiting)
        }
        found?.0.continuation.resume(returning: found?.1)
    }

    /// The readers whose wish has come true, the first with all messages.
    private static func served(_ state: inout State) -> [(Reader, [SocketMessage]?)] {
        guard !state.waiting.isEmpty else { return [] }
        guard
            let place = state.readers.firstIndex(where: { reader in
                switch reader.wanted {
                case .anything: true
                case .frame(let number): state.settled.map { $0 >= number } ?? false
                }
            })
        else { return [] }
        let reader = state.readers.remove(at: place)
        defer { state.waiting = [] }
        return [(reader, state.waiting)]
    }

    /// Returns messages that could not be sent.
    private func putBack(_ batch: ArraySlice<SocketMessage>) {
        state.withLock { state in state.waiting.insert(contentsOf: batch, at: 0) }
    }

    /// Counts a request in progress, so that the link is not lost meanwhile.
    func during<Value>(_ body: () async throws(HTTPError) -> Value) async throws(HTTPError) -> Value {
        state.withLock { state in
            state.requests += 1
            state.wasCarried = true
        }
        defer {
            state.withLock { state in
                state.requests -= 1
                state.lastSeen = .now
            }
        }
        return try await body()
    }

    /// Carries the link over a socket until one of them ends.
    package func carry(_ socket: WebSocketConnection) async {
        let number = attach()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in
                while let batch = await take(.anything, socket: number), !Task.isCancelled {
                    for place in batch.indices {
                        do { try await socket.send(batch[place]) } catch {
                            putBack(batch[place...])
                            return
                        }
                    }
                }
                socket.close(closing ?? .takenOver)
            }
            do {
                for try await message in socket.messages { await messages.send(message) }
            } catch {
                // A connection that breaks ends like one that is closed.
            }
            detach(number)
            await group.waitForAll()
        }
    }

    /// Makes a socket the link's carrier, in place of the one before; greets it if it is not the first.
    private func attach() -> Int {
        let (number, replaced) = state.withLock { state -> (Int, [Reader]) in
            state.next += 1
            state.socket = state.next
            state.lastSeen = .now
            defer { state.wasCarried = true }
            if state.wasCarried, let text = state.hello, state.close == nil {
                state.waiting.removeAll {
                    if case .text(let one) = $0 { one.hasPrefix(#"{"type":"hello""#) } else { false }
                }
                state.waiting.insert(.text(hello(text, isResumed: true)), at: 0)
            }
            defer { state.readers = [] }
            return (state.next, state.readers)
        }
        // Readers of the socket before find that they were replaced; requests return at once.
        for reader in replaced { reader.continuation.resume(returning: []) }
        update(isLost: false)
        return number
    }

    private func detach(_ number: Int) {
        let readers = state.withLock { state -> [Reader] in
            guard state.socket == number else { return [] }
            (state.socket, state.lastSeen) = (nil, .now)
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.continuation.resume(returning: nil) }
    }

    // MARK: Loss

    /// Watches over the link until it ends: reports when no network carries it, and ends it after a while.
    func watch() async {
        while (try? await Task.sleep(for: limits.watchInterval)) != nil {
            let (isOver, isCarried, silence) = state.withLock { state in
                (state.close != nil, state.socket != nil || state.requests > 0, ContinuousClock.now - state.lastSeen)
            }
            guard !isOver else { return }
            update(isLost: !isCarried && silence > limits.lossAfter)
            if !isCarried, silence > limits.resume {
                return end(WebSocketClose(1001, nil, "the phone did not come back"))
            }
        }
    }

    private func update(isLost: Bool) {
        let isNew = state.withLock { state in
            defer { state.isLost = isLost }
            return state.isLost != isLost
        }
        if isNew { onLoss(key, isLost) }
    }

    // MARK: Texts

    private func hello(_ text: String, isResumed: Bool) -> String {
        let seconds = Int(limits.resume / .seconds(1))
        return text.dropLast() + #","key":"\#(key)","resumed":\#(isResumed),"resumeSeconds":\#(seconds)}"#
    }

    /// The number of the frame that a message answers; nil for other messages.
    static func settledFrame(_ text: String) -> UInt32? {
        for type in [#"{"type":"result","sequence":"#, #"{"type":"dropped","sequence":"#] where text.hasPrefix(type) {
            return UInt32(text.dropFirst(type.count).prefix { $0.isNumber })
        }
        struct Problem: Decodable { var sequence: UInt32? }
        guard text.hasPrefix(#"{"type":"error""#) else { return nil }
        return (try? JSONDecoder().decode(Problem.self, from: Data(text.utf8)))?.sequence
    }
}

/// Thrown to a session whose link has ended.
private struct LinkEnd: Error {}
