public import Foundation
public import KinemaCore

/// Counts the repetitions of everyone, or of the most prominent person, each for himself or herself.
public struct PeopleCounter: Sendable {
    /// Who is counted.
    public enum Scope: String, Sendable, Hashable, CaseIterable, Codable {
        /// Everyone in view, each by number.
        case all
        /// The most prominent person.
        case prominent
    }

    /// One person's repetitions.
    public struct Person: Sendable, Hashable {
        /// The person's number (`Pose.id`); for the prominent person that of the last one chosen.
        public var id: Int
        /// The repetitions in order of time.
        public var repetitions: [Repetition]
    }

    /// Who is counted.
    public let scope: Scope
    private var selector = ProminentPersonSelector()
    private var counters: [Int: RepetitionCounter] = [:]
    private var found: [Int: [Repetition]] = [:]
    private var lastSeen: [Int: TimeInterval] = [:]
    private let aspectRatio: Double
    private static let prominent = -1
    /// Who has been away for so long, seconds, is not waited for any more: whoever comes then has a new number.
    private static let patience: TimeInterval = 60

    /// Makes a counter for a picture of the given width divided by height.
    public init(scope: Scope, aspectRatio: Double) {
        self.scope = scope
        self.aspectRatio = aspectRatio
    }

    /// Takes everyone in a frame and returns the repetitions that ended.
    @discardableResult
    public mutating func append(_ poses: [Pose], at time: TimeInterval) -> [Repetition] {
        switch scope {
        case .prominent:
            return take(selector.select(poses, at: time), for: Self.prominent, at: time)
        case .all:
            let present = Set(poses.compactMap(\.id))
            let seen = poses.flatMap { pose in pose.id.map { take(pose, for: $0, at: time) } ?? [] }
            for id in present { lastSeen[id] = time }
            let ended = counters.keys.filter { !present.contains($0) }.reduce(seen) {
                $0 + take(nil, for: $1, at: time)
            }
            return ended + letGo(at: time)
        }
    }

    /// Ends the stream and returns the repetitions that were still open.
    @discardableResult
    public mutating func finish() -> [Repetition] {
        counters.keys.sorted().flatMap { id -> [Repetition] in
            let last = counters[id]?.finish() ?? []
            found[id, default: []] += last
            return last
        }
    }

    /// Everyone counted so far, by number.
    public var people: [Person] {
        found.map { Person(id: $0 == Self.prominent ? selector.id ?? 0 : $0, repetitions: $1) }
            .sorted { $0.id < $1.id }
    }

    /// All repetitions of all who are counted.
    public var count: Int {
        found.values.reduce(0) { $0 + $1.count }
    }

    /// How far a person's movement is at the newest frame, see `RepetitionCounter.signal`; nil for who is not in view.
    public func signal(of id: Int) -> Float? {
        guard scope == .prominent else { return counters[id]?.signal }
        return id == selector.id ? counters[Self.prominent]?.signal : nil
    }

    /// Ends with those who left long ago, so that passers-by do not add up over hours.
    private mutating func letGo(at time: TimeInterval) -> [Repetition] {
        lastSeen.filter { time - $0.value > Self.patience }.keys.sorted().flatMap { id -> [Repetition] in
            let last = counters[id]?.finish() ?? []
            (counters[id], lastSeen[id]) = (nil, nil)
            found[id, default: []] += last
            if found[id]?.isEmpty == true { found[id] = nil }
            return last
        }
    }

    private mutating func take(_ pose: Pose?, for id: Int, at time: TimeInterval) -> [Repetition] {
        let ended = counters[id, default: RepetitionCounter(aspectRatio: aspectRatio)].append(pose, at: time)
        found[id, default: []] += ended
        return ended
    }
}
