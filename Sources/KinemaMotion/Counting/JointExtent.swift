import Foundation
import KinemaCore

/// How far the joints of a body reach in the picture, from its sides and its top and bottom.
///
/// Some data sets, such as RepCount's poses, stretch the body of each frame to the unit square: its place, its size and
/// its shape are lost.
package struct JointExtent {
    private var low = SIMD2<Double>(repeating: .infinity)
    private var high = SIMD2<Double>(repeating: -.infinity)

    /// How near to a side counts as at it, a share of the picture: more than rounding to 16 bits.
    private static let tolerance = 1e-4

    /// The extent of no joints.
    package init() {}

    init(_ pose: Pose) {
        for joint in pose.keypoints.values { add(SIMD2(joint.location.x, joint.location.y)) }
    }

    /// Takes the place of a joint in shares of the picture; what is no number is no place.
    package mutating func add(_ place: SIMD2<Double>) {
        guard place.x.isFinite, place.y.isFinite else { return }
        (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
    }

    /// Whether the joints lie in one place, as those of nobody do.
    package var isEmpty: Bool { !(low.x < high.x || low.y < high.y) }

    /// Whether the joints reach from side to side and from top to bottom, and not beyond.
    package var fillsPicture: Bool {
        [low.x, low.y, high.x - 1, high.y - 1].allSatisfy { abs($0) < Self.tolerance }
    }
}
