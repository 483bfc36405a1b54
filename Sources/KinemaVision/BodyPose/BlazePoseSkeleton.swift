package import KinemaCore

package enum BlazePoseSkeleton {
    package static let joints: [JointKey] = [
        .nose, .leftEyeInner, .leftEye, .leftEyeOuter, .rightEyeInner, .rightEye, .rightEyeOuter, .leftEar, .rightEar,
        .leftMouth, .rightMouth, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow, .leftWrist, .rightWrist,
        .leftLittleFinger, .rightLittleFinger, .leftIndexFinger, .rightIndexFinger, .leftThumb, .rightThumb,
        .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle, .leftHeel, .rightHeel, .leftFootTip,
        .rightFootTip,
    ]

    /// Vision's joints that are the midpoint of two BlazePose points.
    package static let middles: [(key: JointKey, between: (Int, Int))] = [(.neck, (11, 12)), (.root, (23, 24))]
}
