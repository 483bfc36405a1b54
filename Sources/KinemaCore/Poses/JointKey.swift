/// A key that names a joint of a body or a hand, with the names of Create ML Components and BlazePose.
///
/// "Left" and "right" are the person's own sides.
public struct JointKey: RawRepresentable, Hashable, Sendable, Codable {
    /// The joint's name, the same as that of the static property.
    public let rawValue: String

    /// Creates a key from any name.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// The same joint of the other side; itself for joints in the middle.
    package var mirrored: JointKey {
        if rawValue.hasPrefix("left") { return JointKey("right" + rawValue.dropFirst(4)) }
        return rawValue.hasPrefix("right") ? JointKey("left" + rawValue.dropFirst(5)) : self
    }
}

extension JointKey {
    /// The tip of the nose, the eyes and the ears.
    public static let nose = JointKey("nose"), leftEye = JointKey("leftEye"), rightEye = JointKey("rightEye"),
        leftEar = JointKey("leftEar"), rightEar = JointKey("rightEar")
    /// The midpoint of the shoulders, and the shoulders.
    public static let neck = JointKey("neck"), leftShoulder = JointKey("leftShoulder"),
        rightShoulder = JointKey("rightShoulder")
    /// The elbows, and the wrists of the body.
    public static let leftElbow = JointKey("leftElbow"), rightElbow = JointKey("rightElbow"),
        leftWrist = JointKey("leftWrist"), rightWrist = JointKey("rightWrist")
    /// The midpoint of the hips, and the hips.
    public static let root = JointKey("root"), leftHip = JointKey("leftHip"), rightHip = JointKey("rightHip")
    /// The knees and the ankles.
    public static let leftKnee = JointKey("leftKnee"), rightKnee = JointKey("rightKnee"),
        leftAnkle = JointKey("leftAnkle"), rightAnkle = JointKey("rightAnkle")
    /// The inner and the outer corners of the eyes.
    public static let leftEyeInner = JointKey("leftEyeInner"), rightEyeInner = JointKey("rightEyeInner"),
        leftEyeOuter = JointKey("leftEyeOuter"), rightEyeOuter = JointKey("rightEyeOuter")
    /// The corners of the mouth.
    public static let leftMouth = JointKey("leftMouth"), rightMouth = JointKey("rightMouth")
    /// The knuckles of the little fingers, of the index fingers and of the thumbs.
    public static let leftLittleFinger = JointKey("leftLittleFinger"),
        rightLittleFinger = JointKey("rightLittleFinger"), leftIndexFinger = JointKey("leftIndexFinger"),
        rightIndexFinger = JointKey("rightIndexFinger"), leftThumb = JointKey("leftThumb"),
        rightThumb = JointKey("rightThumb")
    /// The heels, and the tips of the feet.
    public static let leftHeel = JointKey("leftHeel"), rightHeel = JointKey("rightHeel"),
        leftFootTip = JointKey("leftFootTip"), rightFootTip = JointKey("rightFootTip")
}

extension JointKey {
    /// The wrist of a hand.
    public static let wrist = JointKey("wrist")
    /// The thumb's carpometacarpal, metacarpophalangeal and interphalangeal joints, and its tip.
    public static let thumbCMC = JointKey("thumbCMC"), thumbMP = JointKey("thumbMP"), thumbIP = JointKey("thumbIP"),
        thumbTip = JointKey("thumbTip")
    /// The index finger's metacarpophalangeal, proximal and distal interphalangeal joints, and its tip.
    public static let indexMCP = JointKey("indexMCP"), indexPIP = JointKey("indexPIP"), indexDIP = JointKey("indexDIP"),
        indexTip = JointKey("indexTip")
    /// The middle finger's metacarpophalangeal, proximal and distal interphalangeal joints, and its tip.
    public static let middleMCP = JointKey("middleMCP"), middlePIP = JointKey("middlePIP"),
        middleDIP = JointKey("middleDIP"), middleTip = JointKey("middleTip")
    /// The ring finger's metacarpophalangeal, proximal and distal interphalangeal joints, and its tip.
    public static let ringMCP = JointKey("ringMCP"), ringPIP = JointKey("ringPIP"), ringDIP = JointKey("ringDIP"),
        ringTip = JointKey("ringTip")
    /// The little finger's metacarpophalangeal, proximal and distal interphalangeal joints, and its tip.
    public static let littleMCP = JointKey("littleMCP"), littlePIP = JointKey("littlePIP"),
        littleDIP = JointKey("littleDIP"), littleTip = JointKey("littleTip")
}
