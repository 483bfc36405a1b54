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

package enum HandSkeleton {
    /// The 21 joints: the wrist, then each finger from the palm to its tip, thumb first.
    package static let joints: [JointKey] = [.wrist] + fingers.flatMap(\.self)

    /// The joints of thumb, index, middle, ring and little finger, from the palm to the tip.
    package static let fingers: [[JointKey]] = [
        [.thumbCMC, .thumbMP, .thumbIP, .thumbTip], [.indexMCP, .indexPIP, .indexDIP, .indexTip],
        [.middleMCP, .middlePIP, .middleDIP, .middleTip], [.ringMCP, .ringPIP, .ringDIP, .ringTip],
        [.littleMCP, .littlePIP, .littleDIP, .littleTip],
    ]
}

/// COCO's 17 joints in its order, with the deviations of its annotations.
package enum COCOJoints {
    /// The standard deviation of each joint's annotations, as a share of the square root of the person's area
    /// (cocodataset.org, keypoint evaluation): the unit of object keypoint similarity (OKS).
    package static let deviations: [(joint: JointKey, deviation: Double)] = [
        (.nose, 0.026), (.leftEye, 0.025), (.rightEye, 0.025), (.leftEar, 0.035), (.rightEar, 0.035),
        (.leftShoulder, 0.079), (.rightShoulder, 0.079), (.leftElbow, 0.072), (.rightElbow, 0.072),
        (.leftWrist, 0.062), (.rightWrist, 0.062), (.leftHip, 0.107), (.rightHip, 0.107), (.leftKnee, 0.087),
        (.rightKnee, 0.087), (.leftAnkle, 0.089), (.rightAnkle, 0.089),
    ]

    package static let all: [JointKey] = deviations.map(\.joint)
}

/// BlazePose's 33 landmarks.
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
