package import Foundation
package import KinemaCore

/// Coaches everyone, or the most prominent person, each person separately.
package struct PeopleCoach: Sendable {
    /// One person and the coach that watches.
    package struct Person: Sendable {
        /// The person's number (`Pose.id`).
        package var id: Int
        /// What was seen of the person.
        package var coach: ExerciseCoach
    }

    /// A repetition, whose it is, and which of that person's it is, from 1.
    package typealias Event = PersonEvent<CoachedRepetition>

    private var coaches: PerPerson<ExerciseCoach>
    private var faulty: [Int: (joints: Set<JointKey>, until: TimeInterval)] = [:]
    /// How long a fault is shown after its repetition, seconds: time to look up and read it.
    private static let showing: TimeInterval = 1.5

    /// Makes a coach for people who all are coached as by `coach`, which has seen nothing yet.
    package init(scope: PersonScope, coach: ExerciseCoach) {
        coaches = PerPerson(scope: scope) { coach }
    }

    /// Takes everyone in a frame and returns the repetitions completed.
    @discardableResult
    package mutating func append(_ poses: [Pose], at time: TimeInterval) -> [Event] {
        numbered(coaches.append(poses, at: time))
    }

    /// Ends the stream and returns the repetitions that were all but complete.
    @discardableResult
    package mutating func finish() -> [Event] { numbered(coaches.finish()) }

    /// Everyone seen so far, by number.
    package var people: [Person] { coaches.people.map { Person(id: $0.person, coach: $0.step) } }

    /// The person with most repetitions: the one whose count and phase are shown.
    package var leader: Person? {
        people.max { ($0.coach.count, -$0.id) < ($1.coach.count, -$1.id) }
    }

    /// All repetitions of everyone.
    package var count: Int { coaches.people.reduce(0) { $0 + $1.step.count } }

    /// The joints at fault in repetitions that have just ended, by the person's number.
    package func faultyJoints(at time: TimeInterval) -> [Int: Set<JointKey>] {
        faulty.filter { $0.value.until >= time }.mapValues(\.joints)
    }

    /// A coach may take repetitions back, so their numbers are those they have now.
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
