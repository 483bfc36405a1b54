public import Foundation
public import KinemaCore

/// A point of an image: 0...1 in both directions, origin at the lower left.
public class VNPoint: Hashable {
    /// The coordinates.
    public let location: CGPoint

    /// Makes a point from its coordinates.
    public init(location: CGPoint) { self.location = location }

    /// Makes a point from its coordinates.
    public convenience init(x: Double, y: Double) { self.init(location: CGPoint(x: x, y: y)) }

    /// The lower left corner.
    public class var zero: VNPoint { VNPoint(x: 0, y: 0) }

    /// From the left edge in image widths.
    public var x: Double { location.x }
    /// From the lower edge in image heights.
    public var y: Double { location.y }

    /// The distance to another point in normalised units, in which an image's width and height are both 1.
    public func distance(_ point: VNPoint) -> Double { hypot(x - point.x, y - point.y) }

    /// The distance between two points in normalised units.
    public static func distance(_ one: VNPoint, _ other: VNPoint) -> Double { one.distance(other) }

    /// Compares the coordinates.
    public static func == (one: VNPoint, other: VNPoint) -> Bool { one.location == other.location }

    /// Hashes the coordinates.
    public func hash(into hasher: inout Hasher) { [x, y].hash(into: &hasher) }
}

/// A point and how sure it is.
public class VNDetectedPoint: VNPoint {
    /// The probability that the point is at `location`, 0...1.
    public let confidence: VNConfidence

    init(_ joint: Joint?) {
        confidence = joint?.confidence ?? 0
        super.init(location: joint?.location.cgPoint ?? .zero)
    }
}

/// A joint of a body or a hand.
public final class VNRecognizedPoint: VNDetectedPoint {
    /// The joint's key.
    public let identifier: VNRecognizedPointKey

    init(_ identifier: VNRecognizedPointKey, _ joint: Joint?) {
        self.identifier = identifier
        super.init(joint)
    }
}

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

/// The key of a group of joints; the raw values are Vision's.
public struct VNRecognizedPointGroupKey: RawRepresentable, Hashable, Sendable {
    /// The key as text.
    public let rawValue: String

    /// Makes a key from text.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ text: String) { rawValue = text }

    /// All joints.
    public static let all = Self("VNIPOAll")
    /// The groups of a body's joints, under their names of 2020.
    public static let bodyLandmarkRegionKeyFace = Self("VNBLKFACE"), bodyLandmarkRegionKeyTorso = Self("VNBLKTORSO"),
        bodyLandmarkRegionKeyLeftArm = Self("VNBLKLARM"), bodyLandmarkRegionKeyRightArm = Self("VNBLKRARM"),
        bodyLandmarkRegionKeyLeftLeg = Self("VNBLKLLEG"), bodyLandmarkRegionKeyRightLeg = Self("VNBLKRLEG")
    /// The fingers, under their names of 2020.
    public static let handLandmarkRegionKeyThumb = Self("VNHLRKT"),
        handLandmarkRegionKeyIndexFinger = Self("VNHLRKI"), handLandmarkRegionKeyMiddleFinger = Self("VNHLRKM"),
        handLandmarkRegionKeyRingFinger = Self("VNHLRKR"), handLandmarkRegionKeyLittleFinger = Self("VNHLRKP")

    /// The groups of a body with their names in the Swift API.
    static let bodyGroups: KeyValuePairs<Self, HumanBodyPoseObservation.JointsGroupName> = [
        .bodyLandmarkRegionKeyFace: .face, .bodyLandmarkRegionKeyTorso: .torso,
        .bodyLandmarkRegionKeyLeftArm: .leftArm, .bodyLandmarkRegionKeyRightArm: .rightArm,
        .bodyLandmarkRegionKeyLeftLeg: .leftLeg, .bodyLandmarkRegionKeyRightLeg: .rightLeg,
    ]

    /// The fingers with their names in the Swift API.
    static let handGroups: KeyValuePairs<Self, HumanHandPoseObservation.JointsGroupName> = [
        .handLandmarkRegionKeyThumb: .thumb, .handLandmarkRegionKeyIndexFinger: .indexFinger,
        .handLandmarkRegionKeyMiddleFinger: .middleFinger, .handLandmarkRegionKeyRingFinger: .ringFinger,
        .handLandmarkRegionKeyLittleFinger: .littleFinger,
    ]
}

/// The joints of a body or a hand by their keys.
public class VNRecognizedPointsObservation: VNObservation {
    /// The keys of all joints.
    public let availableKeys: [VNRecognizedPointKey]
    /// The keys of all groups, that of all joints first.
    public let availableGroupKeys: [VNRecognizedPointGroupKey]
    private let points: [VNRecognizedPointKey: VNRecognizedPoint]
    private let groups: [VNRecognizedPointGroupKey: [VNRecognizedPointKey]]
    private let keypoints: () throws -> MLMultiArray
    let pose: Pose

    init<Observation: PoseProviding & VisionObservation>(
        _ observation: Observation, keys: KeyValuePairs<VNRecognizedPointKey, Observation.PoseJointName>,
        groups: KeyValuePairs<VNRecognizedPointGroupKey, Observation.PoseJointsGroupName>,
        keypoints: @escaping () throws -> MLMultiArray
    ) {
        availableKeys = keys.map(\.key)
        availableGroupKeys = [.all] + groups.map(\.key)
        points = keys.reduce(into: [:]) { points, entry in
            points[entry.key] = VNRecognizedPoint(entry.key, observation.joint(for: entry.value))
        }
        self.groups = groups.reduce(into: [.all: availableKeys]) { found, group in
            let names = Observation.jointNames(in: group.value)
            found[group.key] = keys.filter { names.contains($0.value) }.map(\.key)
        }
        (self.keypoints, pose) = (keypoints, observation.pose)
        super.init(observation)
    }

    /// The joint of a key, with confidence 0 if it was not found; throws for a key of something else.
    public func recognizedPoint(forKey key: VNRecognizedPointKey) throws -> VNRecognizedPoint {
        guard let point = points[key] else {
            throw VNError(.invalidArgument, "the observation has no point \(key.rawValue)")
        }
        return point
    }

    /// The joints of a group; throws for a group of something else.
    public func recognizedPoints(
        forGroupKey key: VNRecognizedPointGroupKey
    ) throws -> [VNRecognizedPointKey: VNRecognizedPoint] {
        guard let keys = groups[key] else {
            throw VNError(.invalidArgument, "the observation has no group \(key.rawValue)")
        }
        return points.filter { keys.contains($0.key) }
    }

    /// The joints as a classifier takes them: [1, 3, 18] for a body, [1, 3, 21] for a hand; 0 for a missing joint.
    public func keypointsMultiArray() throws -> MLMultiArray { try keypoints() }
}
