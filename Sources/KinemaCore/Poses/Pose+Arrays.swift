import Foundation

/// Poses as action classifiers of Create ML take them.
extension Pose {
    /// The joints of `keypointsArray()` in order: OpenPose's 18, which are Vision's without the root.
    public static let arrayJoints: [JointKey] = [
        .nose, .neck, .rightShoulder, .rightElbow, .rightWrist, .leftShoulder, .leftElbow, .leftWrist, .rightHip,
        .rightKnee, .rightAnkle, .leftHip, .leftKnee, .leftAnkle, .rightEye, .leftEye, .rightEar, .leftEar,
    ]

    /// The joints as numbers of shape [1, 3, 18]: x, y (origin at the lower left) and confidence; 0 where one is
    /// missing.
    public func keypointsArray() -> ShapedArray<Double> {
        let joints = Self.arrayJoints.map { keypoints[$0] }
        let x = joints.map { Double($0?.location.x ?? 0) }
        let y = joints.map { Double($0?.location.y ?? 0) }
        let confidence = joints.map { Double($0?.confidence ?? 0) }
        return ShapedArray(scalars: x + y + confidence, shape: [1, 3, joints.count])
    }
}
