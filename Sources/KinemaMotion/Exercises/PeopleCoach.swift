package import Foundation
package import KinemaCore

/// Coaches everyone, or the most prominent person, each person separately.
package struct PeopleCoach: Sendable {
    package struct Person: Sendable {
        /// The person's number (`Pose.id`).
        package var id: Int
        package var coach: ExerciseCoach
        /// The time of the cut with which the person came, in seconds; nil without one.
        package var cut: TimeInterval?
    }

    /// A repetition, its person, and its number for that person, from 1.
    package typealias Event = PersonEvent<CoachedRepetition>

    private var coaches: PerPerson<ExerciseCoach>
    private var faulty: [Int: (joints: Set<JointKey>, until: TimeInterval)] = [:]
    /// The display time of a fault after its repetition, seconds.
    private static let showing: TimeInterval = 1.5

    /// Coaches everyone with a copy of `coach`, which must be new.
    package init(scope: PersonScope, coach: ExerciseCoach) { coaches = PerPerson(scope: scope) { coach } }

    /// Adds everyone in a frame and returns the completed repetitions.
    @discardableResult
    package mutating func append(_ poses: [Pose], at time: TimeInterval) -> [Event] {
        numbered(coaches.append(poses, at: time))
    }

    /// Ends the stream and returns the repetitions that were almost complete.
    @discardableResult
    package mutating func finish() -> [Event] { numbered(coaches.finish()) }

    package var people: [Person] { coaches.people.map { Person(id: $0.person, coach: $0.step, cut: $0.cut) } }

    /// The person with most repetitions, whose count and phase are shown.
    package var leader: Person? { people.max { ($0.coach.count, $1.id) < ($1.coach.count, $0.id) } }

    package var count: Int { coaches.people.reduce(0) { $0 + $1.step.count } }

    /// The joints at fault in repetitions that have just ended, by the person's number.
    package func faultyJoints(at time: TimeInterval) -> [Int: Set<JointKey>] {
        faulty.filter { $0.value.until >= time }.mapValues(\.joints)
    }

    /// Numbers the events by the current repetitions, since a coach may remove some.
    private mutating func numbered(_ events: [Event]) -> [Event] {
        events.map { event in
            faulty[event.person] = (Set(event.event.faults.flatMap(\.joints)), event.event.end + Self.showing)
            var event = event
            let known = coaches.step(of: event.person)?.repetitions ?? []
            event.number = known.firstIndex { $0.start == event.event.start }.map { $0 + 1 } ?? event.number
            return event
        }
    }
}
