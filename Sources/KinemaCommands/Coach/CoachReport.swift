import Foundation
import Kinema

/// What coaching found: the contract of `kinema coach`.
struct CoachReport: Sendable {
    /// Someone, the exercise, and what came of it.
    struct Person: Sendable {
        var id: Int
        var exercise: Exercise?
        var repetitions: [CoachedRepetition]
        var holds: [HeldPosition]
    }

    var source: String
    var duration: TimeInterval = 0
    var frames = 0
    var framesWithSomeone = 0
    /// What became of a live source's frames; nil of files.
    var live: FrameTally?
    var people: [Person] = []
    /// How long the analysis took, seconds.
    var seconds: TimeInterval = 0

    /// Everyone's repetitions.
    var count: Int { people.reduce(0) { $0 + $1.repetitions.count } }

    /// The exercise of whoever did most of one.
    var exercise: Exercise? {
        people.filter { $0.exercise != nil }.max { $0.repetitions.count < $1.repetitions.count }?.exercise
    }

    /// Everyone's repetitions in order of time.
    var repetitions: [CoachEvent] {
        people.flatMap { person in
            person.repetitions.enumerated().map { CoachEvent(person, number: $0 + 1, $1) }
        }.sorted { ($0.repetition.start, $0.id) < ($1.repetition.start, $1.id) }
    }

    mutating func take(_ found: [PeopleCoach.Person]) {
        people = found.map { person in
            Person(
                id: person.id, exercise: person.coach.exercise, repetitions: person.coach.repetitions,
                holds: person.coach.holds)
        }
    }
}

/// A repetition with whose it is.
struct CoachEvent: Sendable {
    var id: Int
    var exercise: Exercise?
    /// The how many-th of that person's.
    var number: Int
    var repetition: CoachedRepetition

    init(_ person: CoachReport.Person, number: Int, _ repetition: CoachedRepetition) {
        self.id = person.id
        self.exercise = person.exercise
        self.number = number
        self.repetition = repetition
    }
}
