package import Foundation

/// The people known at the end of a part of a recording, who may be in the next part under other numbers.
package struct PersonMemory: Sendable, Codable {
    private struct Person: Codable {
        var reference: PersonTrack.ReferenceState
        var extent: BodyExtent
        var time: TimeInterval
    }

    private var people: [Int: Person] = [:]

    package init() {}

    init(_ people: [PersonTrack]) {
        for person in people {
            self.people[person.id] = Person(
                reference: person.reference, extent: person.body.extent, time: person.motion.time)
        }
    }

    /// Adds the people of a later part, under the numbers that they have in the whole recording.
    package mutating func add(_ later: PersonMemory, numbered number: (Int) -> Int?) {
        for (id, person) in later.people {
            if let number = number(id) { people[number] = person }
        }
    }

    package mutating func remove(_ number: Int) { people[number] = nil }

    /// People are at other positions after a cut.
    package mutating func markCut() {
        for number in people.keys { people[number]?.reference.isBeforeCut = true }
    }

    /// The number of the lost person who returns as a newcomer of this memory, as `PersonTrackManager.add` decides it.
    package func number(of newcomer: Int, in newcomers: PersonMemory, at time: TimeInterval) -> Int? {
        guard let body = newcomers.people[newcomer] else { return nil }
        let costs = people.filter { time - $0.value.time <= PersonTrackManager.memory }.mapValues {
            $0.reference.costOfReturn(of: body.extent, appearance: body.reference.appearance, at: time)
        }
        let best = costs.min { ($0.value, $0.key) < ($1.value, $1.key) }
        return best.flatMap { $0.value < PersonTrackManager.maximumCost ? $0.key : nil }
    }
}
