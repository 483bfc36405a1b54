/// The body's joints in the order in which files and tables list them.
public enum BodySkeleton {
    /// Vision's 19 joints from head to foot, then BlazePose's further points.
    public static let joints: [JointKey] = [
        .nose, .leftEye, .rightEye, .leftEar, .rightEar, .neck, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow,
        .leftWrist, .rightWrist, .root, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
        .leftEyeInner, .leftEyeOuter, .rightEyeInner, .rightEyeOuter, .leftMouth, .rightMouth, .leftLittleFinger,
        .rightLittleFinger, .leftIndexFinger, .rightIndexFinger, .leftThumb, .rightThumb, .leftHeel, .rightHeel,
        .leftFootTip, .rightFootTip,
    ]
}
