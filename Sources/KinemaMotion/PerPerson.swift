public import Foundation
public import KinemaCore

/// What is done for one person, pose by pose: the step that `PerPerson` repeats for everyone.
public protocol PersonStep: Sendable {
    /// What the step tells.
    associatedtype Event: Sendable

    /// Takes the person's next pose, nil when the person is not in view, at a time in seconds; returns what became certain.
    mutating func append(_ pose: Pose?, at time: TimeInterval) -> [Event]
    /// Ends the stream and returns what was still open.
    mutating func finish() -> [Event]
    /// Whether nothing is lost when the step is dropped.
    var isEmpty: Bool { get }
}

/// Something that one person did.
public struct PersonEvent<Event: Sendable>: Sendable {
    /// The person's number (`Pose.id`).
    public var person: Int
    /// Which of that person's events this is, from 1.
    public var number: Int
    /// What happened.
    public var event: Event
}

extension PersonEvent: Equatable where Event: Equatable {}
extension PersonEvent: Hashable where Event: Hashable {}

/// Who is followed: everyone, or the one person the camera is set up for.
public enum PersonScope: String, Sendable, Hashable, CaseIterable, Codable {
    /// Everyone in view, each by number.
    case all
    /// The most prominent person.
    case prominent
}

/// Runs a step for each person, or for the most prominent one, and says whose each event is.
public struct PerPerson<Step: PersonStep>: Sendable {
    /// One person and the step that follows that person.
    public struct Member: Sendable {
        /// The person's number (`Pose.id`); for the prominent person, that of the last one chosen.
        public var person: Int
        /// The step.
        public var step: Step
        fileprivate var lastSeen: TimeInterval
        fileprivate var events = 0
        fileprivate var hasLeft = false
    }

    /// Who is followed.
    public let scope: PersonScope
    private let makeStep: @Sendable () -> Step
    private var selector = ProminentPersonSelector()
    private var members: [Int: Member] = [:]

    /// The key of the prominent person, whoever that is by now.
    private static var prominent: Int { -1 }
    /// Who is away for so long, seconds, is not waited for any more: whoever comes then has a new number.
    private static var patience: TimeInterval { 60 }

    /// Follows nobody yet; `makeStep` makes the step for each person who appears.
    public init(scope: PersonScope, step makeStep: @escaping @Sendable () -> Step) {
        self.scope = scope
        self.makeStep = makeStep
    }

    /// Everyone followed so far, by number.
    public var people: [Member] { members.values.sorted { $0.person < $1.person } }

    /// The step of the person with a number; nil for who is not followed.
    public func step(of person: Int) -> Step? {
        scope == .all ? members[person]?.step : members[Self.prominent].flatMap { $0.person == person ? $0.step : nil }
    }

    /// Takes everyone in a frame at a time in seconds and returns what became certain.
    @discardableResult
    public mutating func append(_ poses: [Pose], at time: TimeInterval) -> [PersonEvent<Step.Event>] {
        if scope == .prominent {
            let pose = selector.select(poses, at: time)
            guard pose != nil || members[Self.prominent] != nil else { return [] }
            return take(pose, as: Self.prominent, number: selector.id ?? 0, at: time)
        }
        var events: [PersonEvent<Step.Event>] = []
        var present: Set<Int> = []
        for pose in poses {
            guard let id = pose.id, present.insert(id).inserted else { continue }
            events += take(pose, as: id, number: id, at: time)
        }
        for (id, member) in members.sorted(by: { $0.key < $1.key }) where !present.contains(id) && !member.hasLeft {
            events += take(nil, as: id, number: id, at: time)
            if time - member.lastSeen > Self.patience { events += leave(id) }
        }
        return events
    }

    /// Ends the stream and returns what was still open.
    @discardableResult
    public mutating func finish() -> [PersonEvent<Step.Event>] {
        members.keys.sorted().flatMap { key in tell(members[key]?.step.finish() ?? [], of: key) }
    }

    /// Drops who left long ago and did nothing, so that passers-by do not add up over hours.
    private mutating func leave(_ id: Int) -> [PersonEvent<Step.Event>] {
        let last = tell(members[id]?.step.finish() ?? [], of: id)
        if members[id]?.step.isEmpty == true { members[id] = nil } else { members[id]?.hasLeft = true }
        return last
    }

    private mutating func take(
        _ pose: Pose?, as key: Int, number: Int, at time: TimeInterval
    ) -> [PersonEvent<Step.Event>] {
        // Taken out while it works, so that it changes in place.
        var member = members.removeValue(forKey: key) ?? Member(person: number, step: makeStep(), lastSeen: time)
        member.person = number
        if pose != nil { (member.lastSeen, member.hasLeft) = (time, false) }
        let events = member.step.append(pose, at: time)
        members[key] = member
        return tell(events, of: key)
    }

    private mutating func tell(_ events: [Step.Event], of key: Int) -> [PersonEvent<Step.Event>] {
        events.compactMap { event in
            members[key]?.events += 1
            return members[key].map { PersonEvent(person: $0.person, number: $0.events, event: event) }
        }
    }
}
