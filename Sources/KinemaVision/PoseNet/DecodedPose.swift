import Foundation
import KinemaCore

/// One person as PoseNet's maps tell it; pixels of the model's input, origin at the top left.
struct DecodedPose: Sendable, Equatable {
    /// A joint that lies inside the grid.
    struct Joint: Sendable, Equatable {
        var position: SIMD2<Double>
        var confidence: Float
        /// Whether it is sure enough to count, and to lead to the joints beside it.
        var isValid: Bool
    }

    /// The joints in PoseNet's order; nil where none was found inside the grid.
    var joints = [Joint?](repeating: nil, count: PoseNetSkeleton.joints.count)
    /// The mean confidence of all joints, those that are not valid counting as zero.
    var confidence: Float = 0

    /// The valid joint of that number.
    func validJoint(_ index: Int) -> Joint? {
        joints[index].flatMap { $0.isValid ? $0 : nil }
    }

    /// The pose in Kinema's terms: normalised to the picture that was stretched to the model's input, origin at the
    /// lower left, with neck and root in the middle of shoulders and hips.
    func pose(inputSize: CGSize) -> Pose {
        var keypoints: [JointKey: JointPoint] = [:]
        func add(_ key: JointKey, _ position: SIMD2<Double>, _ confidence: Float) {
            let location = CGPoint(x: position.x / inputSize.width, y: 1 - position.y / inputSize.height)
            keypoints[key] = JointPoint(key, location: location, confidence: confidence)
        }
        for case (let key, let joint?) in zip(PoseNetSkeleton.joints, joints) {
            add(key, joint.position, joint.confidence)
        }
        for (key, (a, b)) in PoseNetSkeleton.middles {
            guard let a = joints[a], let b = joints[b] else { continue }
            add(key, (a.position + b.position) / 2, min(a.confidence, b.confidence))
        }
        return Pose(from: keypoints, keypoints3D: [:], id: nil, confidence: confidence)
    }
}
