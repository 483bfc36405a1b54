/// A key that names a joint of a body or a hand.
///
/// The 19 body keys and 21 hand keys have the names of Create ML Components; the other body keys are BlazePose's
/// additional points. "Left" and "right" are the person's own sides.
public struct JointKey: RawRepresentable, Hashable, Sendable, Codable {
    /// The joint's name, the same as that of the static property.
    public let rawValue: String

    /// Makes a key from a joint's name; any name is accepted.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ name: String) {
        rawValue = name
    }
}

/// The body's 19 joints as Vision names them.
extension JointKey {
    /// The tip of the nose.
    public static let nose = JointKey("nose")
    /// The left eye.
    public static let leftEye = JointKey("leftEye")
    /// The right eye.
    public static let rightEye = JointKey("rightEye")
    /// The left ear.
    public static let leftEar = JointKey("leftEar")
    /// The right ear.
    public static let rightEar = JointKey("rightEar")
    /// The midpoint of the shoulders.
    public static let neck = JointKey("neck")
    /// The left shoulder.
    public static let leftShoulder = JointKey("leftShoulder")
    /// The right shoulder.
    public static let rightShoulder = JointKey("rightShoulder")
    /// The left elbow.
    public static let leftElbow = JointKey("leftElbow")
    /// The right elbow.
    public static let rightElbow = JointKey("rightElbow")
    /// The left wrist.
    public static let leftWrist = JointKey("leftWrist")
    /// The right wrist.
    public static let rightWrist = JointKey("rightWrist")
    /// The midpoint of the hips.
    public static let root = JointKey("root")
    /// The left hip.
    public static let leftHip = JointKey("leftHip")
    /// The right hip.
    public static let rightHip = JointKey("rightHip")
    /// The left knee.
    public static let leftKnee = JointKey("leftKnee")
    /// The right knee.
    public static let rightKnee = JointKey("rightKnee")
    /// The left ankle.
    public static let leftAnkle = JointKey("leftAnkle")
    /// The right ankle.
    public static let rightAnkle = JointKey("rightAnkle")
}

/// The points BlazePose finds beyond Vision's joints.
extension JointKey {
    /// The left eye's inner corner.
    public static let leftEyeInner = JointKey("leftEyeInner")
    /// The left eye's outer corner.
    public static let leftEyeOuter = JointKey("leftEyeOuter")
    /// The right eye's inner corner.
    public static let rightEyeInner = JointKey("rightEyeInner")
    /// The right eye's outer corner.
    public static let rightEyeOuter = JointKey("rightEyeOuter")
    /// The left corner of the mouth.
    public static let leftMouth = JointKey("leftMouth")
    /// The right corner of the mouth.
    public static let rightMouth = JointKey("rightMouth")
    /// The knuckle of the left little finger.
    public static let leftLittleFinger = JointKey("leftLittleFinger")
    /// The knuckle of the right little finger.
    public static let rightLittleFinger = JointKey("rightLittleFinger")
    /// The knuckle of the left index finger.
    public static let leftIndexFinger = JointKey("leftIndexFinger")
    /// The knuckle of the right index finger.
    public static let rightIndexFinger = JointKey("rightIndexFinger")
    /// The knuckle of the left thumb.
    public static let leftThumb = JointKey("leftThumb")
    /// The knuckle of the right thumb.
    public static let rightThumb = JointKey("rightThumb")
    /// The left heel.
    public static let leftHeel = JointKey("leftHeel")
    /// The right heel.
    public static let rightHeel = JointKey("rightHeel")
    /// The tip of the left foot.
    public static let leftFootTip = JointKey("leftFootTip")
    /// The tip of the right foot.
    public static let rightFootTip = JointKey("rightFootTip")
}

/// A hand's 21 joints.
extension JointKey {
    /// The wrist of a hand.
    public static let wrist = JointKey("wrist")
    /// The thumb's carpometacarpal joint.
    public static let thumbCMC = JointKey("thumbCMC")
    /// The thumb's metacarpophalangeal joint.
    public static let thumbMP = JointKey("thumbMP")
    /// The thumb's interphalangeal joint.
    public static let thumbIP = JointKey("thumbIP")
    /// The tip of the thumb.
    public static let thumbTip = JointKey("thumbTip")
    /// The index finger's metacarpophalangeal joint.
    public static let indexMCP = JointKey("indexMCP")
    /// The index finger's proximal interphalangeal joint.
    public static let indexPIP = JointKey("indexPIP")
    /// The index finger's distal interphalangeal joint.
    public static let indexDIP = JointKey("indexDIP")
    /// The tip of the index finger.
    public static let indexTip = JointKey("indexTip")
    /// The middle finger's metacarpophalangeal joint.
    public static let middleMCP = JointKey("middleMCP")
    /// The middle finger's proximal interphalangeal joint.
    public static let middlePIP = JointKey("middlePIP")
    /// The middle finger's distal interphalangeal joint.
    public static let middleDIP = JointKey("middleDIP")
    /// The tip of the middle finger.
    public static let middleTip = JointKey("middleTip")
    /// The ring finger's metacarpophalangeal joint.
    public static let ringMCP = JointKey("ringMCP")
    /// The ring finger's proximal interphalangeal joint.
    public static let ringPIP = JointKey("ringPIP")
    /// The ring finger's distal interphalangeal joint.
    public static let ringDIP = JointKey("ringDIP")
    /// The tip of the ring finger.
    public static let ringTip = JointKey("ringTip")
    /// The little finger's metacarpophalangeal joint.
    public static let littleMCP = JointKey("littleMCP")
    /// The little finger's proximal interphalangeal joint.
    public static let littlePIP = JointKey("littlePIP")
    /// The little finger's distal interphalangeal joint.
    public static let littleDIP = JointKey("littleDIP")
    /// The tip of the little finger.
    public static let littleTip = JointKey("littleTip")
}

/// The body's joints in the order of files and tables.
public enum BodySkeleton {
    /// Vision's 19 joints from head to foot, then BlazePose's additional points.
    public static let joints: [JointKey] = [
        .nose, .leftEye, .rightEye, .leftEar, .rightEar, .neck, .leftShoulder, .rightShoulder, .leftElbow, .rightElbow,
        .leftWrist, .rightWrist, .root, .leftHip, .rightHip, .leftKnee, .rightKnee, .leftAnkle, .rightAnkle,
        .leftEyeInner, .leftEyeOuter, .rightEyeInner, .rightEyeOuter, .leftMouth, .rightMouth, .leftLittleFinger,
        .rightLittleFinger, .leftIndexFinger, .rightIndexFinger, .leftThumb, .rightThumb, .leftHeel, .rightHeel,
        .leftFootTip, .rightFootTip,
    ]
}

/// A hand's joints in the order of files and tables, and by finger.
public enum HandSkeleton {
    /// The 21 joints: the wrist, then each finger from the palm to its tip, thumb first.
    public static let joints: [JointKey] = [.wrist] + fingers.flatMap(\.self)

    /// The joints of thumb, index, middle, ring and little finger, from the palm to the tip.
    public static let fingers: [[JointKey]] = [
        [.thumbCMC, .thumbMP, .thumbIP, .thumbTip], [.indexMCP, .indexPIP, .indexDIP, .indexTip],
        [.middleMCP, .middlePIP, .middleDIP, .middleTip], [.ringMCP, .ringPIP, .ringDIP, .ringTip],
        [.littleMCP, .littlePIP, .littleDIP, .littleTip],
    ]
}
