package enum BodySkeleton {
    /// Vision's 19 joints from head to foot, then BlazePose's additional points.
    package static let joints: [JointKey] = [
        .nose, .leftEye, .rightEye, .leftEar, .rightEar, .neck, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow,
        .leftWrist, .rightWrist, .root, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
        .leftEyeInner, .leftEyeOuter, .rightEyeInner, .rightEyeOuter, .leftMouth, .rightMouth, .leftLittleFinger,
        .rightLittleFinger, .leftIndexFinger, .rightIndexFinger, .leftThumb, .rightThumb, .leftHeel, .rightHeel,
        .leftFootTip, .rightFootTip,
    ]
    /// Shoulders, elbows, wrists, hips, knees and ankles, the left one of each first.
    package static let limbs = Array(COCOJoints.all[5...])
    /// Vision's 19 joints, then the heels and the tips of the feet.
    package static let withFeet = Array(joints[..<19] + joints.suffix(4))
}
