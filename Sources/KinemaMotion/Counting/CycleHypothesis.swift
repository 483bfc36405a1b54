import Foundation

/// A run of cycles: one way to count a stretch of movement.
struct CycleHypothesis: Sendable {
    /// The signal's index among the finder's.
    let signal: Int
    /// The return that makes a turning point, as a share of the signal's range.
    let hysteresis: Float
    let cycles: [Cycle]
    /// The evidence about the whole run, in the order of `CycleEvidence.whole`.
    var whole: [Float]
    /// The evidence about each cycle, in the order of `CycleEvidence.each`.
    var each: [[Float]]
    /// The probability that each cycle is a repetition, 0...1.
    var probabilities: [Float] = []

    /// The median length of its cycles, rows.
    var length: Float { median(cycles.map(\.length)) }
}

/// How the sides of the body move relative to each other in a mean cycle: this distinguishes walking from exercise.
struct LimbMotion {
    /// The logarithm of how much the legs move apart over how much they move together, and likewise the arms; 0 at
    /// rest.
    let legsApart: Float, armsApart: Float
    /// The legs' and the arms' shares of all movement.
    let legShare: Float, armShare: Float
    /// The logarithm of the trunk's movement in the picture over the joints' movement relative to it.
    let trunk: Float

    /// Less movement than this share of the total counts as none.
    private static let least: Float = 0.02

    init(_ centred: CycleShapes, _ placed: CycleShapes) {
        func movement(_ pairs: [(Int, Int)]) -> (apart: Float, together: Float) {
            var (apart, together): (Float, Float) = (0, 0)
            for row in centred.mean {
                for (left, right) in pairs {
                    let (difference, sum) = (row.point(left) - row.point(right), row.point(left) + row.point(right))
                    apart += (difference * difference).sum() / 2
                    together += (sum * sum).sum() / 2
                }
            }
            return (apart, together)
        }
        let legs = movement([BodyJoints.knees, BodyJoints.ankles])
        let arms = movement([BodyJoints.elbows, BodyJoints.wrists])
        let all = max(1e-12, centred.mean.reduce(0) { $0 + $1.squared })
        let least = Self.least * all
        legsApart = log((legs.apart + least) / (legs.together + least))
        armsApart = log((arms.apart + least) / (arms.together + least))
        (legShare, armShare) = ((legs.apart + legs.together) / all, (arms.apart + arms.together) / all)
        var moved: Float = 0
        for (there, here) in zip(placed.mean, centred.mean) {
            let away = there.point(BodyJoints.hips.0) - here.point(BodyJoints.hips.0)
            moved += (away * away).sum() * Float(JointRow.joints)
        }
        trunk = log((moved + least) / (all + least))
    }
}
