import Foundation
import KinemaCore

/// Matches everyone known with everyone found in a frame so that the sum of differences is minimal.
///
/// The two stages are those of ByteTrack: bodies of high score continue whom they resemble most, in view or lost; then
/// bodies of low score, mostly people half hidden, continue whoever in view is left.
struct PersonAssociation {
    /// The person whom each body continues, by the body's index.
    private(set) var owners: [Int: Int] = [:]

    /// Matches people, of whom the first `inView` are in view, with bodies.
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

/// The weights of what makes a body found unlike a known person, and what counts as too unlike.
struct PersonMatchWeights: Sendable {
    /// For the distance from where the person is expected: the logarithm of 1 plus the square of its share of how far
    /// off that may be.
    var distance = 1.5
    /// For the logarithm of how far off that may be, compared with somebody just seen: where a body lies says less about
    /// people long unseen.
    var lapse = 0.16
    /// For the pose's difference: 1 minus the object key point similarity of the two, moved onto each other.
    var pose = 0.12
    /// For the logarithm of the ratio of sizes.
    var size = 0.25
    /// For a direction of movement that differs from the person's, 0...1 (OC-SORT's observation-centric momentum).
    var direction = 0.07
    /// For the square of the difference of appearance, 0...1.
    var appearance = 1.8
    /// The same square where it is unknown.
    var unknownAppearance = 0.17
    /// For the difference of appearance times the logarithm of 1 plus the seconds unseen: whoever comes into an empty
    /// picture where somebody else left it some seconds ago is told from them by their clothes alone.
    ///
    /// It is a share of this sum, whose limit is `maximum` and in which appearance counts by its square, so it is not
    /// the `absence` of `PersonTrack.ReferenceState`, which adds to costs on another scale.
    var absence = 1.8
    /// The difference of appearance that this assumes where it is unknown.
    var unknownAfterAbsence = 0.5
    /// How far off the expected position may be, in body sizes: at once, and more for each second since.
    var slack = (constant: 0.26, perSecond: 0.91)
    /// How long a movement goes on unseen, in seconds.
    var persistence = 0.72
    /// The most that position, size and pose count after a cut.
    var afterCut = 0.7
    /// A body more unlike than this is somebody else.
    var maximum = 2.9
    /// The same for bodies of low score.
    var weakMaximum = 0.8
    /// Bodies below this score continue tracks that nothing better continues, and begin none (ByteTrack, Zhang et
    /// al., "ByteTrack: Multi-Object Tracking by Associating Every Detection Box", 2022).
    var strongScore: Float = 0.3
}

extension PersonTrack {
    /// How unlike a body is to this person: 0 is the same, more than the weights' maximum is somebody else.
    ///
    /// With `usesAppearance` false, only position and pose count: whoever is half hidden shows others' colours.
    func unlikeness(
        to observation: PersonTrackManager.Observation, at time: TimeInterval, _ weights: PersonMatchWeights,
        usesAppearance: Bool = true
    ) -> Double {
        let found = observation.body
        let elapsed = max(0, time - motion.time)
        let shift = motion.shift(at: time, weights)
        let step = body.displacement(to: found)
        let slack = weights.slack.constant + weights.slack.perSecond * elapsed
        let miss = (step - shift).length / (motion.scale * slack)
        let growth = abs(log(max(found.size, 1) / motion.scale))
        // The distribution has a wide tail (Cauchy's), since people turn while nobody sees them.
        var sum =
            weights.distance * log(1 + miss * miss) + weights.lapse * log(slack / weights.slack.constant)
            + weights.size * growth + weights.direction * turn(to: step)
        // A pose says whose it is for as long as it lasts.
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

    /// How far the direction of a step differs from the movement, 0...1; less for small steps, whose direction is
    /// noise.
    private func turn(to step: SIMD2<Double>) -> Double {
        let velocity = motion.velocity
        let lengths = velocity.length * step.length
        guard lengths > 1e-9 else { return 0 }
        let cosine = min(1, max(-1, (velocity * step).sum() / lengths))
        let size = motion.scale
        return acos(cosine) / .pi * min(1, velocity.length / size) * min(1, step.length / (0.1 * size))
    }
}

extension BodyLandmarks {
    /// The deviations of COCO's joints at BlazePose's indices.
    private static let deviations: [(index: Int, deviation: Double)] = COCOJoints.deviations.compactMap { entry in
        BlazePoseSkeleton.joints.firstIndex(of: entry.joint).map { ($0, entry.deviation) }
    }

    /// The object key point similarity of two bodies, 0...1, after this one is shifted; 0.5 without common joints.
    func keypointSimilarity(to other: BodyLandmarks, shifted shift: SIMD2<Double> = .zero) -> Double {
        // A body's area is about the square of half its height.
        let area = max(1, size * other.size)
        var (sum, count) = (0.0, 0.0)
        for (index, deviation) in Self.deviations where visibility[index] >= 0.3 && other.visibility[index] >= 0.3 {
            let way = points[index] + shift - other.points[index]
            sum += exp(-(way * way).sum() / (8 * deviation * deviation * area))
            count += 1
        }
        return count >= 4 ? sum / count : 0.5
    }

    /// How far the body has moved to become another: the median over the joints visible in both, so that the joints of
    /// whoever is in the way do not count.
    func displacement(to other: BodyLandmarks) -> SIMD2<Double> {
        let common = Self.deviations.map(\.index).filter { visibility[$0] >= 0.3 && other.visibility[$0] >= 0.3 }
        guard common.count >= 4 else { return other.middle - middle }
        let ways = common.map { other.points[$0] - points[$0] }
        return SIMD2(ways.map(\.x).median, ways.map(\.y).median)
    }
}
