import KinemaCore

/// The key of a joint; the raw values are Vision's.
public struct VNRecognizedPointKey: RawRepresentable, Hashable, Sendable {
    /// The key as text.
    public let rawValue: String

    /// Makes a key from text.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ text: String) { rawValue = text }

    /// The joints of a body, under their names of 2020.
    public static let bodyLandmarkKeyNose = Self("head_joint"), bodyLandmarkKeyNeck = Self("neck_1_joint"),
        bodyLandmarkKeyRoot = Self("root"), bodyLandmarkKeyLeftEye = Self("left_eye_joint"),
        bodyLandmarkKeyLeftEar = Self("left_ear_joint"), bodyLandmarkKeyLeftShoulder = Self("left_shoulder_1_joint"),
        bodyLandmarkKeyLeftElbow = Self("left_forearm_joint"), bodyLandmarkKeyLeftWrist = Self("left_hand_joint"),
        bodyLandmarkKeyLeftHip = Self("left_upLeg_joint"), bodyLandmarkKeyLeftKnee = Self("left_leg_joint"),
        bodyLandmarkKeyLeftAnkle = Self("left_foot_joint"), bodyLandmarkKeyRightEye = Self("right_eye_joint"),
        bodyLandmarkKeyRightEar = Self("right_ear_joint"),
        bodyLandmarkKeyRightShoulder = Self("right_shoulder_1_joint"),
        bodyLandmarkKeyRightElbow = Self("right_forearm_joint"), bodyLandmarkKeyRightWrist = Self("right_hand_joint"),
        bodyLandmarkKeyRightHip = Self("right_upLeg_joint"), bodyLandmarkKeyRightKnee = Self("right_leg_joint"),
        bodyLandmarkKeyRightAnkle = Self("right_foot_joint")

    /// The joints of a hand, under their names of 2020.
    public static let handLandmarkKeyWrist = Self("VNHLKWRI"), handLandmarkKeyThumbCMC = Self("VNHLKTCMC"),
        handLandmarkKeyThumbMP = Self("VNHLKTMP"), handLandmarkKeyThumbIP = Self("VNHLKTIP"),
        handLandmarkKeyThumbTIP = Self("VNHLKTTIP"), handLandmarkKeyIndexMCP = Self("VNHLKIMCP"),
        handLandmarkKeyIndexPIP = Self("VNHLKIPIP"), handLandmarkKeyIndexDIP = Self("VNHLKIDIP"),
        handLandmarkKeyIndexTIP = Self("VNHLKITIP"), handLandmarkKeyMiddleMCP = Self("VNHLKMMCP"),
        handLandmarkKeyMiddlePIP = Self("VNHLKMPIP"), handLandmarkKeyMiddleDIP = Self("VNHLKMDIP"),
        handLandmarkKeyMiddleTIP = Self("VNHLKMTIP"), handLandmarkKeyRingMCP = Self("VNHLKRMCP"),
        handLandmarkKeyRingPIP = Self("VNHLKRPIP"), handLandmarkKeyRingDIP = Self("VNHLKRDIP"),
        handLandmarkKeyRingTIP = Self("VNHLKRTIP"), handLandmarkKeyLittleMCP = Self("VNHLKPMCP"),
        handLandmarkKeyLittlePIP = Self("VNHLKPPIP"), handLandmarkKeyLittleDIP = Self("VNHLKPDIP"),
        handLandmarkKeyLittleTIP = Self("VNHLKPTIP")

    /// The joints of a body with their names in the Swift API.
    static let bodyJoints: KeyValuePairs<Self, HumanBodyPoseObservation.JointName> = [
        .bodyLandmarkKeyNose: .nose, .bodyLandmarkKeyNeck: .neck, .bodyLandmarkKeyRoot: .root,
        .bodyLandmarkKeyLeftEye: .leftEye, .bodyLandmarkKeyLeftEar: .leftEar,
        .bodyLandmarkKeyLeftShoulder: .leftShoulder, .bodyLandmarkKeyLeftElbow: .leftElbow,
        .bodyLandmarkKeyLeftWrist: .leftWrist, .bodyLandmarkKeyLeftHip: .leftHip, .bodyLandmarkKeyLeftKnee: .leftKnee,
        .bodyLandmarkKeyLeftAnkle: .leftAnkle, .bodyLandmarkKeyRightEye: .rightEye,
        .bodyLandmarkKeyRightEar: .rightEar, .bodyLandmarkKeyRightShoulder: .rightShoulder,
        .bodyLandmarkKeyRightElbow: .rightElbow, .bodyLandmarkKeyRightWrist: .rightWrist,
        .bodyLandmarkKeyRightHip: .rightHip, .bodyLandmarkKeyRightKnee: .rightKnee,
        .bodyLandmarkKeyRightAnkle: .rightAnkle,
    ]

    /// The joints of a hand with their names in the Swift API.
    static let handJoints: KeyValuePairs<Self, HumanHandPoseObservation.JointName> = [
        .handLandmarkKeyWrist: .wrist, .handLandmarkKeyThumbCMC: .thumbCMC, .handLandmarkKeyThumbMP: .thumbMP,
        .handLandmarkKeyThumbIP: .thumbIP, .handLandmarkKeyThumbTIP: .thumbTip, .handLandmarkKeyIndexMCP: .indexMCP,
        .handLandmarkKeyIndexPIP: .indexPIP, .handLandmarkKeyIndexDIP: .indexDIP, .handLandmarkKeyIndexTIP: .indexTip,
        .handLandmarkKeyMiddleMCP: .middleMCP, .handLandmarkKeyMiddlePIP: .middlePIP,
        .handLandmarkKeyMiddleDIP: .middleDIP, .handLandmarkKeyMiddleTIP: .middleTip,
        .handLandmarkKeyRingMCP: .ringMCP, .handLandmarkKeyRingPIP: .ringPIP, .handLandmarkKeyRingDIP: .ringDIP,
        .handLandmarkKeyRingTIP: .ringTip, .handLandmarkKeyLittleMCP: .littleMCP,
        .handLandmarkKeyLittlePIP: .littlePIP, .handLandmarkKeyLittleDIP: .littleDIP,
        .handLandmarkKeyLittleTIP: .littleTip,
    ]
}
