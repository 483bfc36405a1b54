import Foundation
import KinemaCore
import KinemaMotion

/// A line of `kinema count --explain`: a reported repetition, or a candidate count.
package struct CountExplanation: Encodable, Sendable {
    package var id: Int
    package var repetition: FoundRepetition?
    /// The cycles with their measurements and whether they were accepted.
    package var way: CycleExplanation?

    /// The lines of everyone: for each person the repetitions, then the candidates.
    package static func lines(_ people: [PeopleCounter.Explanation]) throws -> String {
        let lines = people.flatMap { person in
            person.repetitions.map { CountExplanation(id: person.id, repetition: $0) }
                + person.ways.map { CountExplanation(id: person.id, way: $0) }
        }
        return try ResultCoding.lines(lines)
    }
}
