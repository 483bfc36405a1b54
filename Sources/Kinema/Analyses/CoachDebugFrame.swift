import Foundation
import KinemaMotion

/// The coach's measurements in one frame; a line of `kinema coach --debug --format jsonl`.
public struct CoachDebugFrame: Codable, Sendable, Hashable {
    package struct Person: Codable, Sendable, Hashable {
        package var id: Int
        @Nullable package var exercise: String?
        package var phase: String
        /// The measure that is followed, by `BodyMeasure`; null for a position that is held.
        @Nullable package var measure: String?
        /// The measure's value in `unit`; null where its joints are not seen.
        @Nullable package var value: Double?
        /// The unit of `value`; null if there is none.
        @Nullable package var unit: String?
        /// The confidence of the joints, 0...1; null where they are not seen.
        @Nullable package var confidence: Double?
        /// The progress of the movement: 0 at rest, 1 where a full repetition turns; null where it is not followed.
        @Nullable package var progress: Double?
        package var count: Int
        package var debugMessage: String
    }

    package var frame: Int
    package var time: Double
    package var people: [Person]

    init(frame: Int, time: TimeInterval, _ found: [PeopleCoach.Person]) {
        (self.frame, self.time) = (frame, time.rounded(to: 6))
        people = found.map { person in
            let (coach, look) = (person.coach, person.coach.look)
            return Person(
                id: person.id, exercise: coach.exercise?.name, phase: coach.phase, measure: look.measure?.name,
                value: look.value?.rounded(to: 3), unit: look.unit?.rawValue,
                confidence: look.confidence.map { Double($0).rounded(to: 3) }, progress: look.progress?.rounded(to: 3),
                count: coach.count, debugMessage: look.debugMessage)
        }
    }
}
