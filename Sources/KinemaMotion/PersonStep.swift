package import Foundation
package import KinemaCore

/// The people to track: everyone, or the one person for whom the camera is set up.
public enum PersonScope: String, Sendable, Hashable, CaseIterable, Codable {
    /// Everyone in view, each separately.
    case all
    /// The most prominent person.
    case prominent
}

/// An event of one person.
public struct PersonEvent<Event: Sendable>: Sendable {
    /// The person's number (`Pose.id`).
    public var person: Int
    /// The number under which the person came; the prominent person's may change.
    package var key: Int
    /// The number of the event among that person's, from 1.
    public var number: Int
    /// The event.
    public var event: Event
}

extension PersonEvent: Equatable where Event: Equatable {}

extension PersonEvent: Hashable where Event: Hashable {}

/// A per-person processing step, which `PerPerson` runs for each person separately.
package protocol PersonStep: Sendable {
    associatedtype Event: Sendable

    /// Adds the person's next pose (nil if out of view) at a time in seconds and returns the events it confirms.
    mutating func append(_ pose: Pose?, at time: TimeInterval) -> [Event]
    /// Ends the stream and returns the remaining events.
    mutating func finish() -> [Event]
    /// Whether the step holds no results, so that it can be dropped.
    var isEmpty: Bool { get }
}

/// Runs a step for each person, or only for the most prominent one, and labels each event with the person.
///
/// The prominent person may get another number while in the same shot and stays one member. After a cut, another number is
/// another person.
package struct PerPerson<Step: PersonStep>: Sendable {
    package struct Member: Sendable {
        /// The person's number (`Pose.id`); in the prominent scope, that of the person last selected.
        package var person: Int
        package var step: Step
        /// The number under which the person came.
        package let key: Int
        /// The time of the cut with which the person came, in seconds; nil if there was none, or nobody before it.
        package let cut: TimeInterval?
        fileprivate var lastSeen: TimeInterval
        fileprivate var events = 0
        /// The time of the last event, seconds; nil before the first.
        fileprivate var lastEvent: TimeInterval?
        fileprivate var hasLeft = false
    }

    package let scope: PersonScope
    private let makeStep: @Sendable () -> Step
    private var selector = ProminentPersonSelector()
    private var members: [Int: Member] = [:]
    /// The members of the numbers that the prominent person has had, and the newest one's key.
    private var keys: [Int: Int] = [:], prominent: Int?
    private var shot: Int?, cut: TimeInterval?

    /// A person who comes within this many seconds of a cut came with it: two searches for newcomers.
    private static var arrival: TimeInterval { 1 }
    /// After this many seconds out of view a person has left; a person who arrives later gets a new number.
    private static var maximumAbsence: TimeInterval { 60 }
    /// The seconds after an event in which nobody replaces the prominent person: the duration of the slowest
    /// repetitions.
    private static var repeating: TimeInterval { 12 }

    /// Tracks nobody yet; `makeStep` makes the step for each new person.
    package init(scope: PersonScope, step makeStep: @escaping @Sendable () -> Step) {
        (self.scope, self.makeStep) = (scope, makeStep)
    }

    package var people: [Member] { members.values.sorted { $0.person < $1.person } }

    /// The step of the person with a number; nil if that person is not tracked.
    package func step(of person: Int) -> Step? {
        members.values.first { $0.person == person }?.step
    }

    /// Takes the poses of a frame at a time in seconds and returns the events they confirm.
    @discardableResult
    package mutating func append(_ poses: [Pose], at time: TimeInterval) -> [PersonEvent<Step.Event>] {
        if let new = poses.first?.shot, new != shot { (shot, cut) = (new, shot == nil ? nil : time) }
        var chosen = poses
        if scope == .prominent {
            let last = prominent.flatMap { members[$0]?.lastEvent }
            chosen = []
            if var pose = selector.select(poses, at: time, holds: last.map { time - $0 < Self.repeating } ?? false) {
                pose.id = pose.id ?? 0
                chosen = [pose]
            }
        }
        var events: [PersonEvent<Step.Event>] = []
        var present: Set<Int> = []
        for pose in chosen {
            guard let id = pose.id else { continue }
            let key = key(of: id, at: time)
            guard present.insert(key).inserted else { continue }
            events += update(pose, as: key, number: id, at: time)
        }
        for (key, member) in members.sorted(by: { $0.key < $1.key }) where !present.contains(key) && !member.hasLeft {
            events += update(nil, as: key, number: member.person, at: time)
            if key != prominent, time - member.lastSeen > Self.maximumAbsence { events += leave(key) }
        }
        return events
    }

    private mutating func key(of number: Int, at time: TimeInterval) -> Int {
        guard scope == .prominent else { return number }
        let lastSeen = prominent.flatMap { members[$0]?.lastSeen }
        let isAfterCut = cut.map { (lastSeen ?? $0) < $0 } ?? false
        let key = keys[number] ?? (isAfterCut ? number : prominent ?? number)
        (keys[number], prominent) = (key, key)
        return key
    }

    /// Ends the stream and returns the remaining events.
    @discardableResult
    package mutating func finish() -> [PersonEvent<Step.Event>] {
        members.keys.sorted().flatMap { key in label(members[key]?.step.finish() ?? [], of: key) }
    }

    /// Drops people who left and have no results, so that passers-by do not accumulate over hours.
    private mutating func leave(_ id: Int) -> [PersonEvent<Step.Event>] {
        let last = label(members[id]?.step.finish() ?? [], of: id)
        if members[id]?.step.isEmpty == true { members[id] = nil } else { members[id]?.hasLeft = true }
        return last
    }

    private mutating func update(
        _ pose: Pose?, as key: Int, number: Int, at time: TimeInterval
    ) -> [PersonEvent<Step.Event>] {
        // Remove it from the dictionary while it works, so that it is mutated in place.
        var member =
            members.removeValue(forKey: key)
            ?? Member(
                person: number, step: makeStep(), key: key,
                cut: members.isEmpty ? nil : cut.flatMap { time - $0 < Self.arrival ? $0 : nil }, lastSeen: time)
        member.person = number
        if pose != nil { (member.lastSeen, member.hasLeft) = (time, false) }
        let events = member.step.append(pose, at: time)
        if !events.isEmpty { member.lastEvent = time }
        members[key] = member
        return label(events, of: key)
    }

    private mutating func label(_ events: [Step.Event], of key: Int) -> [PersonEvent<Step.Event>] {
        events.compactMap { event in
            members[key]?.events += 1
            return members[key].map { PersonEvent(person: $0.person, key: key, number: $0.events, event: event) }
        }
    }
}
