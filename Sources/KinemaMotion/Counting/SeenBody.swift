import Foundation
import KinemaCore

/// A body in one frame.
struct SeenBody: Sendable {
    var time: TimeInterval
    /// Where the joints are, picture heights.
    var row: JointRow
    /// How far the background moved since the stream began; nil if that is not known.
    var camera: SimilarityTransform?

    /// Joints that are not seen keep their last position.
    init(_ joints: BodyJoints, after last: SeenBody?, camera: SimilarityTransform? = nil, at time: TimeInterval) {
        (self.time, self.camera) = (time, camera)
        var points = joints.points
        if let last {
            for joint in points.indices where joints.confidences[joint] == 0 { points[joint] = last.row.point(joint) }
        }
        row = JointRow(points)
    }
}
