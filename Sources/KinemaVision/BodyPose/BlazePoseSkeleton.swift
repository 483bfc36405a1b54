import KinemaCore

/// BlazePose's 33 points in the model's order, under the names of `JointKey`.
enum BlazePoseSkeleton {
    static let joints: [JointKey] = [
        .nose, .leftEyeInner, .leftEye, .leftEyeOuter, .rightEyeInner, .rightEye, .rightEyeOuter, .leftEar, .rightEar,
        .leftMouth, .rightMouth, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist,
        .leftLittleFinger, .rightLittleFinger, .leftIndexFinger, .rightIndexFinger, .leftThumb, .rightThumb,
        .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle, .leftHeel, .rightHeel, .leftFootTip,
        .rightFootTip,
    ]

    /// Vision's joints that lie in the middle of two of BlazePose's points.
    static let middles: [(key: JointKey, between: (Int, Int))] = [(.neck, (11, 12)), (.root, (23, 24))]
}
