public import Foundation
public import KinemaCore

/// Coaches everyone, or the most prominent person, each for himself or herself.
public struct PeopleCoach: Sendable {
    /// One person and the coach that watches.
    public struct Person: Sendable {
        /// The person's number (`Pose.id`).
        public var id: Int
        /// What was seen of the person.
        public var coach: ExerciseCoach
    }

    private let scope: PeopleCounter.Scope
    private let blank: ExerciseCoach
    private var selector = ProminentPersonSelector()
    private var coaches: [Int: ExerciseCoach] = [:]
    private var faulty: [Int: (joints: Set<JointKey>, until: TimeInterval)] = [:]
    private var lastSeen: [Int: TimeInterval] = [:]
    private static let prominent = -1
    /// Who has been away for so long, seconds, and did nothing, is forgotten: whoever comes then has a new number.
    private static let patience: TimeInterval = 60
    /// How long a fault is shown after its repetition, seconds: time to look up and read it.
    private static let showing: TimeInterval = 1.5

    /// Makes a coach for people who all are coached as by `coach`, which has seen nothing yet.
    public init(scope: PeopleCounter.Scope, coach: ExerciseCoach) {
        self.scope = scope
        blank = coach
    }

    /// Takes everyone in a frame and returns the repetitions completed, with the person's number.
    @discardableResult
    public mutating func append(
        _ poses: [Pose], at time: TimeInterval
    ) -> [(person: Int, repetition: CoachedRepetition)] {
        switch scope {
        case .prominent:
            return take(selector.select(poses, at: time), for: Self.prominent, at: time)
        case .all:
            let present = Set(poses.compactMap(\.id))
            for id in present { lastSeen[id] = time }
            letGo(at: time)
            let seen = poses.flatMap { pose in pose.id.map { take(pose, for: $0, at: time) } ?? [] }
            return coaches.keys.filter { !present.contains($0) }.sorted()
                .reduce(seen) { $0 + take(nil, for: $1, at: time) }
        }
    }

    /// Ends the stream and returns the repetitions that were all but complete.
    @discardableResult
    public mutating func finish() -> [(person: Int, repetition: CoachedRepetition)] {
        coaches.keys.sorted().flatMap { id -> [(person: Int, repetition: CoachedRepetition)] in
            (coaches[id]?.finish() ?? []).map { (number(of: id), $0) }
        }
    }

    /// Everyone seen so far, by number.
    public var people: [Person] {
        coaches.map { Person(id: number(of: $0), coach: $1) }.sorted { $0.id < $1.id }
    }

    /// The person with most repetitions: the one whose count and phase are shown.
    public var leader: Person? {
        people.max { ($0.coach.count, -$0.id) < ($1.coach.count, -$1.id) }
    }

    /// All repetitions of everyone.
    public var count: Int { coaches.values.reduce(0) { $0 + $1.count } }

    /// The joints at fault in repetitions that have just ended, by the person's number.
    public func faultyJoints(at time: TimeInterval) -> [Int: Set<JointKey>] {
        Dictionary(
            faulty.filter { $0.value.until >= time }.map { (number(of: $0.key), $0.value.joints) },
            uniquingKeysWith: { $0.union($1) })
    }

    /// Forgets those who passed by long ago, so that they do not add up over hours.
    private mutating func letGo(at time: TimeInterval) {
        for id in lastSeen.filter({ time - $0.value > Self.patience }).keys {
            lastSeen[id] = nil
            if let coach = coaches[id], coach.repetitions.isEmpty, coach.holds.isEmpty { coaches[id] = nil }
        }
    }

    private func number(of id: Int) -> Int { id == Self.prominent ? selector.id ?? 0 : id }

    private mutating func take(
        _ pose: Pose?, for id: Int, at time: TimeInterval
    ) -> [(person: Int, repetition: CoachedRepetition)] {
        if pose == nil, coaches[id] == nil { return [] }
        let completed = coaches[id, default: blank].append(pose, at: time)
        if let last = completed.last {
            faulty[id] = (Set(last.faults.flatMap(\.joints)), last.end + Self.showing)
        }
        return completed.map { (number(of: id), $0) }
    }
}
