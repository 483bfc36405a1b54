package import Foundation
package import KinemaCore

/// Runs a step for each person, or only for the most prominent one, and labels each event with the person.
package struct PerPerson<Step: PersonStep>: Sendable {
    package struct Member: Sendable {
        /// The person's number (`Pose.id`); in the prominent scope, that of the person last selected.
        package var person: Int
        package var step: Step
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

    /// The key of the prominent person, whose number may change.
    private static var prominent: Int { -1 }
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
        scope == .all ? members[person]?.step : members[Self.prominent].flatMap { $0.person == person ? $0.step : nil }
    }

    /// Takes the poses of a frame at a time in seconds and returns the events they confirm.
    @discardableResult
    package mutating func append(_ poses: [Pose], at time: TimeInterval) -> [PersonEvent<Step.Event>] {
        if scope == .prominent {
            let last = members[Self.prominent]?.lastEvent
            let pose = selector.select(poses, at: time, holds: last.map { time - $0 < Self.repeating } ?? false)
            guard pose != nil || members[Self.prominent] != nil else { return [] }
            return update(pose, as: Self.prominent, number: selector.id ?? 0, at: time)
        }
        var events: [PersonEvent<Step.Event>] = []
        var present: Set<Int> = []
        for pose in poses {
            guard let id = pose.id, present.insert(id).inserted else { continue }
            events += update(pose, as: id, number: id, at: time)
        }
        for (id, member) in members.sorted(by: { $0.key < $1.key }) where !present.contains(id) && !member.hasLeft {
            events += update(nil, as: id, number: id, at: time)
            if time - member.lastSeen > Self.maximumAbsence { events += leave(id) }
        }
        return events
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
        var member = members.removeValue(forKey: key) ?? Member(person: number, step: makeStep(), lastSeen: time)
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
            return members[key].map { PersonEvent(person: $0.person, number: $0.events, event: event) }
        }
    }
}
