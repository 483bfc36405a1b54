import Foundation
import KinemaCore

/// One person decoded from PoseNet's maps, in pixels of the model's input with the origin at the top left.
struct DecodedPose: Sendable, Equatable {
    struct Joint: Sendable, Equatable {
        var position: SIMD2<Double>
        var confidence: Float
        var isValid: Bool
    }

    /// The joints in PoseNet's order; nil for joints outside the grid.
    var joints = [Joint?](repeating: nil, count: PoseNetSkeleton.joints.count)
    /// The mean confidence over all joints, with 0 for invalid ones.
    var confidence: Float = 0

    /// The joint with the given index if it is valid.
    func validJoint(_ index: Int) -> Joint? { joints[index].flatMap { $0.isValid ? $0 : nil } }

    /// The pose normalised to the picture, origin at the lower left. Invalid joints have the confidence 0; neck and
    /// root are the midpoints of shoulders and hips.
    func pose(inputSize: CGSize) -> Pose {
        var keypoints: [JointKey: JointPoint] = [:]
        func add(_ key: JointKey, _ position: SIMD2<Double>, _ confidence: Float) {
            let location = CGPoint(x: position.x / inputSize.width, y: 1 - position.y / inputSize.height)
            keypoints[key] = JointPoint(key, location: location, confidence: confidence)
        }
        func certainty(of joint: Joint) -> Float { joint.isValid ? joint.confidence : 0 }
        for case (let key, let joint?) in zip(PoseNetSkeleton.joints, joints) {
            add(key, joint.position, certainty(of: joint))
        }
        for (key, (a, b)) in PoseNetSkeleton.middles {
            guard let a = joints[a], let b = joints[b] else { continue }
            add(key, (a.position + b.position) / 2, min(certainty(of: a), certainty(of: b)))
        }
        return Pose(from: keypoints, keypoints3D: [:], id: nil, confidence: confidence)
    }
}
