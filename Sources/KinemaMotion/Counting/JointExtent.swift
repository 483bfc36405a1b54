import Foundation
import KinemaCore

/// The bounds of a body's joints in the picture.
///
/// Some data sets, such as RepCount's poses, stretch the body of each frame to the unit square: its position, size and
/// shape are lost.
package struct JointExtent {
    private var low = SIMD2<Double>(repeating: .infinity)
    private var high = SIMD2<Double>(repeating: -.infinity)

    /// How near to an edge counts as at the edge, as a share of the picture: more than rounding to 16 bits.
    private static let tolerance = 1e-4

    /// The extent of no joints.
    package init() {}

    init(_ pose: Pose) {
        for joint in pose.keypoints.values { add(SIMD2(joint.location.x, joint.location.y)) }
    }

    /// Adds the position of a joint as shares of the picture; NaN is ignored.
    package mutating func add(_ place: SIMD2<Double>) {
        guard place.x.isFinite, place.y.isFinite else { return }
        (low, high) = (pointwiseMin(low, place), pointwiseMax(high, place))
    }

    /// Whether all joints coincide, as when nobody is detected.
    package var isEmpty: Bool { !(low.x < high.x || low.y < high.y) }

    /// Whether the joints extend exactly to all four edges of the picture.
    package var fillsPicture: Bool {
        [low.x, low.y, high.x - 1, high.y - 1].allSatisfy { abs($0) < Self.tolerance }
    }
}
