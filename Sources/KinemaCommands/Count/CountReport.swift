import Foundation
import Kinema

/// A repetition, with when it was told.
struct CountedRepetition: Sendable {
    var repetition: Repetition
    /// The time of the frame with which it became certain, seconds.
    var known: TimeInterval

    /// How long after its end it was told, seconds.
    var delay: TimeInterval { known - repetition.end }
}

/// A repetition as it is told while the input is being read.
struct RepetitionEvent: Sendable {
    /// Whose it is.
    var id: Int
    /// The how many-th of that person's.
    var number: Int
    var counted: CountedRepetition
}

/// What a count found: the contract of `kinema count`.
struct CountReport: Sendable {
    /// Someone and the repetitions of him or her.
    struct Person: Sendable {
        var id: Int
        var repetitions: [CountedRepetition]
    }

    var source: String
    var duration: TimeInterval = 0
    var frames = 0
    var framesWithSomeone = 0
    /// What became of a live source's frames; nil of files.
    var live: FrameTally?
    var count = 0
    var people: [Person] = []
    /// How long the analysis took, seconds.
    var seconds: TimeInterval = 0

    /// Takes over what the counter has found by a time and returns what is new.
    mutating func update(_ found: [PeopleCounter.Person], scope: PeopleCounter.Scope, at time: TimeInterval)
        -> [RepetitionEvent]
    {
        var events: [RepetitionEvent] = []
        for (index, person) in found.enumerated() {
            // The prominent person is one row, whoever that is by now.
            let row: Int
            switch scope {
            case .prominent: row = people.isEmpty ? -1 : 0
            case .all: row = people.firstIndex { $0.id == person.id } ?? -1
            }
            if row < 0 { people.append(Person(id: person.id, repetitions: [])) }
            let place = row < 0 ? people.count - 1 : row
            people[place].id = person.id
            for repetition in found[index].repetitions.dropFirst(people[place].repetitions.count) {
                let counted = CountedRepetition(repetition: repetition, known: time)
                people[place].repetitions.append(counted)
                events.append(
                    RepetitionEvent(id: person.id, number: people[place].repetitions.count, counted: counted))
            }
        }
        people.sort { $0.id < $1.id }
        count = people.reduce(0) { $0 + $1.repetitions.count }
        return events
    }
}
