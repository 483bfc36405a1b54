import Foundation
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
