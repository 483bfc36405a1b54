package import Foundation
import KinemaCore

/// Matches known people with the bodies in a frame by the minimal sum of differences, in ByteTrack's two stages: bodies
/// of high score continue any person, then bodies of low score continue the remaining people in view.
struct PersonAssociation {
    /// The person whom each body continues, by the body's index.
    private(set) var owners: [Int: Int] = [:]

    init(
        _ people: [PersonTrack], inView: Int, _ bodies: [PersonTrackManager.Observation], at time: TimeInterval,
        _ weights: PersonMatchWeights
    ) {
        let isStrong = bodies.map { $0.body.score >= weights.strongScore }
        for isWeak in [false, true] {
            let taken = Set(owners.values)
            let candidates = (isWeak ? 0..<inView : people.indices).filter { !taken.contains($0) }
            let chosen = bodies.indices.filter { isStrong[$0] != isWeak }
            let costs = candidates.map { person in
                chosen.map { people[person].unlikeness(to: bodies[$0], at: time, weights, usesAppearance: !isWeak) }
            }
            let pairs = Assignment.minimumCost(costs, alone: isWeak ? weights.weakMaximum : weights.maximum)
            for case (let row, let column?) in pairs.enumerated() { owners[chosen[column]] = candidates[row] }
        }
    }
}

extension PersonTrack {
    /// The cost of matching a body with this person: 0 is the same, above the weights' maximum is another person.
    /// Without `usesAppearance`, only position and pose count: a half-hidden person shows others' colours.
    func unlikeness(
        to observation: PersonTrackManager.Observation, at time: TimeInterval, _ weights: PersonMatchWeights,
        usesAppearance: Bool = true
    ) -> Double {
        let found = observation.body
        let isKnown =
            !reference.isBeforeCut
            || reference.isKnownAgain(found.extent, appearance: observation.appearance, at: time)
        guard isKnown else { return 2 * weights.maximum }
        let elapsed = max(0, time - motion.time)
        let shift = motion.shift(at: time, weights)
        let step = body.displacement(to: found)
        let slack = weights.slack.constant + weights.slack.perSecond * elapsed
        let miss = (step - shift).length / (motion.scale * slack)
        let growth = abs(log(max(found.size, 1) / motion.scale))
        // The distribution has a wide tail (Cauchy's), since people turn while unseen.
        var sum =
            weights.distance * log(1 + miss * miss) + weights.lapse * log(slack / weights.slack.constant)
            + weights.size * growth + weights.direction * turn(to: step)
        // A pose identifies a person for as long as it lasts.
        if elapsed < 1 {
            sum += weights.pose * (1 - body.keypointSimilarity(to: found, shifted: shift)) * (1 - elapsed)
        }
        // After a cut people may be anywhere.
        if reference.isBeforeCut { sum = min(sum, weights.afterCut) }
        guard usesAppearance else { return sum }
        let difference = observation.appearance.flatMap { reference.appearance?.difference(from: $0) }.map(Double.init)
        return sum + weights.appearance * (difference.map { $0 * $0 } ?? weights.unknownAppearance)
            + weights.absence * log(1 + elapsed) * (difference ?? weights.unknownAfterAbsence)
    }

    /// The difference between a step's direction and the movement, 0...1; less for small steps, which are noise.
    private func turn(to step: SIMD2<Double>) -> Double {
        let velocity = motion.velocity
        let lengths = velocity.length * step.length
        guard lengths > 1e-9 else { return 0 }
        let cosine = min(1, max(-1, (velocity * step).sum() / lengths))
        let size = motion.scale
        return acos(cosine) / .pi * min(1, velocity.length / size) * min(1, step.length / (0.1 * size))
    }
}

/// The weights of the differences between a body and a known person, and their limits.
struct PersonMatchWeights: Sendable {
    /// The weight of log(1 + x²) of the distance from the expected position, as a share of its uncertainty.
    var distance = 1.5
    /// The weight of the logarithm of that uncertainty: position is weaker evidence for people long unseen.
    var lapse = 0.16
    /// The weight of the pose's difference: 1 minus the object key point similarity of the two, moved onto each other.
    var pose = 0.12
    /// The weight of the logarithm of the ratio of sizes.
    var size = 0.25
    /// The weight of a direction that differs from the person's, 0...1 (OC-SORT's observation-centric momentum).
    var direction = 0.07
    /// The weight of the square of the difference of appearance, 0...1.
    var appearance = 1.8
    /// The square of the difference of appearance where it is unknown.
    var unknownAppearance = 0.17
    /// The weight of the difference of appearance times log(1 + seconds unseen): after seconds only clothes differ. It
    /// differs from `PersonTrack.ReferenceState.absence`, which adds to costs on another scale.
    var absence = 1.8
    /// The difference of appearance assumed where it is unknown.
    var unknownAfterAbsence = 0.5
    /// The uncertainty of the expected position, in body sizes: at once, and more for each second since.
    var slack = (constant: 0.26, perSecond: 0.91)
    /// The time for which a movement continues unseen, in seconds.
    var persistence = 0.72
    /// The maximum cost of position, size and pose after a cut.
    var afterCut = 0.7
    /// A body less similar than this is another person.
    var maximum = 2.9
    /// The same for bodies of low score.
    var weakMaximum = 0.8
    /// Bodies below this score continue only those in view whom no other continues (ByteTrack, Zhang et al., "ByteTrack:
    /// Multi-Object Tracking by Associating Every Detection Box", 2022).
    var strongScore: Float = 0.3
    /// Bodies below this score begin no tracks, and those below `aloneScore` only where a crowd is in view.
    var newcomerScore: Float = 0.3, aloneScore: Float = 0.3
}

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
