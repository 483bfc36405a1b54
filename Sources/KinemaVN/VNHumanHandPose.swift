import KinemaVision
public import KinemaCore
import KinemaMedia

/// The side of a hand.
public enum VNChirality: Int, Sendable {
    /// Not known.
    case unknown = 0
    /// The person's own left hand.
    case left = -1
    /// The person's own right hand.
    case right = 1
}

/// One hand.
public final class VNHumanHandPoseObservation: VNRecognizedPointsObservation {
    /// The name of a joint.
    public struct JointName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The key of the joint.
        public let rawValue: VNRecognizedPointKey

        /// The name as Vision prints it, which logged data is read by.
        public var description: String { "VNHumanHandPoseObservationJointName(_rawValue: \(rawValue.rawValue))" }

        /// Makes a name from a key.
        public init(rawValue: VNRecognizedPointKey) { self.rawValue = rawValue }

        private init(_ key: VNRecognizedPointKey) { rawValue = key }

        /// The base of the hand.
        public static let wrist = Self(.handLandmarkKeyWrist)
        /// Joints of the thumb, from the palm to the tip.
        public static let thumbCMC = Self(.handLandmarkKeyThumbCMC), thumbMP = Self(.handLandmarkKeyThumbMP),
            thumbIP = Self(.handLandmarkKeyThumbIP), thumbTip = Self(.handLandmarkKeyThumbTIP)
        /// Joints of the index finger, from the palm to the tip.
        public static let indexMCP = Self(.handLandmarkKeyIndexMCP), indexPIP = Self(.handLandmarkKeyIndexPIP),
            indexDIP = Self(.handLandmarkKeyIndexDIP), indexTip = Self(.handLandmarkKeyIndexTIP)
        /// Joints of the middle finger, from the palm to the tip.
        public static let middleMCP = Self(.handLandmarkKeyMiddleMCP), middlePIP = Self(.handLandmarkKeyMiddlePIP),
            middleDIP = Self(.handLandmarkKeyMiddleDIP), middleTip = Self(.handLandmarkKeyMiddleTIP)
        /// Joints of the ring finger, from the palm to the tip.
        public static let ringMCP = Self(.handLandmarkKeyRingMCP), ringPIP = Self(.handLandmarkKeyRingPIP),
            ringDIP = Self(.handLandmarkKeyRingDIP), ringTip = Self(.handLandmarkKeyRingTIP)
        /// Joints of the little finger, from the palm to the tip.
        public static let littleMCP = Self(.handLandmarkKeyLittleMCP), littlePIP = Self(.handLandmarkKeyLittlePIP),
            littleDIP = Self(.handLandmarkKeyLittleDIP), littleTip = Self(.handLandmarkKeyLittleTIP)
    }

    /// The name of a finger, or of all joints; the wrist belongs to no finger.
    public struct JointsGroupName: RawRepresentable, Hashable, Sendable {
        /// The key of the group.
        public let rawValue: VNRecognizedPointGroupKey

        /// Makes a name from a key.
        public init(rawValue: VNRecognizedPointGroupKey) { self.rawValue = rawValue }

        /// All joints.
        public static let all = Self(rawValue: .all)
        /// The four joints of a finger.
        public static let thumb = Self(rawValue: .handLandmarkRegionKeyThumb),
            indexFinger = Self(rawValue: .handLandmarkRegionKeyIndexFinger),
            middleFinger = Self(rawValue: .handLandmarkRegionKeyMiddleFinger),
            ringFinger = Self(rawValue: .handLandmarkRegionKeyRingFinger),
            littleFinger = Self(rawValue: .handLandmarkRegionKeyLittleFinger)
    }

    fileprivate let observation: HumanHandPoseObservation

    init(_ observation: HumanHandPoseObservation) {
        self.observation = observation
        super.init(
            observation, keys: VNRecognizedPointKey.handJoints, groups: VNRecognizedPointGroupKey.handGroups
        ) { try observation.keypoints }
    }

    /// The side of the hand, correct for images that are not mirrored.
    public var chirality: VNChirality {
        observation.chirality.map { $0 == .left ? .left : .right } ?? .unknown
    }

    /// The names of all joints.
    public var availableJointNames: [JointName] { availableKeys.map(JointName.init) }
    /// The names of all groups.
    public var availableJointsGroupNames: [JointsGroupName] { availableGroupKeys.map(JointsGroupName.init) }

    /// The joint of a name, with confidence 0 if it was not found; throws for a name of something else.
    public func recognizedPoint(_ jointName: JointName) throws -> VNRecognizedPoint {
        try recognizedPoint(forKey: jointName.rawValue)
    }

    /// The joints of a group; throws for a group of something else.
    public func recognizedPoints(_ jointsGroupName: JointsGroupName) throws -> [JointName: VNRecognizedPoint] {
        let points = try recognizedPoints(forGroupKey: jointsGroupName.rawValue)
        return Dictionary(uniqueKeysWithValues: points.map { (JointName(rawValue: $0.key), $0.value) })
    }
}

extension HumanHandPoseObservation {
    /// The observation in Vision's Swift API.
    public init(_ observation: VNHumanHandPoseObservation) { self = observation.observation }
}

/// Detects the hands in an image.
public final class VNDetectHumanHandPoseRequest: VNImageBasedRequest {
    /// The maximum number of hands; larger hands take precedence. The default is 2.
    public var maximumHandCount = 2

    /// The hands of the last performance, the largest first.
    public var results: [VNHumanHandPoseObservation]? { observations as? [VNHumanHandPoseObservation] }

    /// The joints that can be found.
    public var supportedJointNames: [VNHumanHandPoseObservation.JointName] {
        get throws { VNRecognizedPointKey.handJoints.map { .init(rawValue: $0.key) } }
    }

    /// The same for any revision.
    public class func supportedJointNames(forRevision revision: Int) throws -> [VNHumanHandPoseObservation.JointName] {
        VNRecognizedPointKey.handJoints.map { .init(rawValue: $0.key) }
    }

    /// The groups of joints that can be found.
    public var supportedJointsGroupNames: [VNHumanHandPoseObservation.JointsGroupName] {
        get throws { [.all] + VNRecognizedPointGroupKey.handGroups.map { .init(rawValue: $0.key) } }
    }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        var request = DetectHumanHandPoseRequest()
        request.maximumHandCount = maximumHandCount
        request.regionOfInterest = try region()
        return try request.hands(in: frame).map(VNHumanHandPoseObservation.init)
    }
}
