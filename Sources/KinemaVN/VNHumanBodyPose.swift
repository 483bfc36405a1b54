import KinemaVision
public import KinemaCore
import KinemaMedia

/// One person's body.
public final class VNHumanBodyPoseObservation: VNRecognizedPointsObservation {
    /// The name of a joint.
    public struct JointName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The key of the joint.
        public let rawValue: VNRecognizedPointKey

        /// The name as Vision prints it, which logged data is read by.
        public var description: String { "VNHumanBodyPoseObservationJointName(_rawValue: \(rawValue.rawValue))" }

        /// Makes a name from a key.
        public init(rawValue: VNRecognizedPointKey) { self.rawValue = rawValue }

        private init(_ key: VNRecognizedPointKey) { rawValue = key }

        /// Joints of the face.
        public static let nose = Self(.bodyLandmarkKeyNose), leftEye = Self(.bodyLandmarkKeyLeftEye),
            rightEye = Self(.bodyLandmarkKeyRightEye), leftEar = Self(.bodyLandmarkKeyLeftEar),
            rightEar = Self(.bodyLandmarkKeyRightEar)
        /// Joints of the trunk.
        public static let neck = Self(.bodyLandmarkKeyNeck), root = Self(.bodyLandmarkKeyRoot),
            leftShoulder = Self(.bodyLandmarkKeyLeftShoulder), rightShoulder = Self(.bodyLandmarkKeyRightShoulder),
            leftHip = Self(.bodyLandmarkKeyLeftHip), rightHip = Self(.bodyLandmarkKeyRightHip)
        /// Joints of the arms.
        public static let leftElbow = Self(.bodyLandmarkKeyLeftElbow), leftWrist = Self(.bodyLandmarkKeyLeftWrist),
            rightElbow = Self(.bodyLandmarkKeyRightElbow), rightWrist = Self(.bodyLandmarkKeyRightWrist)
        /// Joints of the legs.
        public static let leftKnee = Self(.bodyLandmarkKeyLeftKnee), leftAnkle = Self(.bodyLandmarkKeyLeftAnkle),
            rightKnee = Self(.bodyLandmarkKeyRightKnee), rightAnkle = Self(.bodyLandmarkKeyRightAnkle)
    }

    /// The name of a group of joints; groups overlap.
    public struct JointsGroupName: RawRepresentable, Hashable, Sendable {
        /// The key of the group.
        public let rawValue: VNRecognizedPointGroupKey

        /// Makes a name from a key.
        public init(rawValue: VNRecognizedPointGroupKey) { self.rawValue = rawValue }

        /// All joints.
        public static let all = Self(rawValue: .all)
        /// The groups of `HumanBodyPoseObservation`.
        public static let face = Self(rawValue: .bodyLandmarkRegionKeyFace),
            torso = Self(rawValue: .bodyLandmarkRegionKeyTorso),
            leftArm = Self(rawValue: .bodyLandmarkRegionKeyLeftArm),
            rightArm = Self(rawValue: .bodyLandmarkRegionKeyRightArm),
            leftLeg = Self(rawValue: .bodyLandmarkRegionKeyLeftLeg),
            rightLeg = Self(rawValue: .bodyLandmarkRegionKeyRightLeg)
    }

    fileprivate let observation: HumanBodyPoseObservation

    init(_ observation: HumanBodyPoseObservation) {
        self.observation = observation
        super.init(
            observation, keys: VNRecognizedPointKey.bodyJoints, groups: VNRecognizedPointGroupKey.bodyGroups
        ) { try observation.keypoints }
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

extension HumanBodyPoseObservation {
    /// The observation in Vision's Swift API.
    public init(_ observation: VNHumanBodyPoseObservation) { self = observation.observation }
}

/// Detects the bodies of all people in an image.
public final class VNDetectHumanBodyPoseRequest: VNImageBasedRequest {
    /// The bodies of the last performance, highest confidence first.
    public var results: [VNHumanBodyPoseObservation]? { observations as? [VNHumanBodyPoseObservation] }

    /// The joints that can be found.
    public var supportedJointNames: [VNHumanBodyPoseObservation.JointName] {
        get throws { VNRecognizedPointKey.bodyJoints.map { .init(rawValue: $0.key) } }
    }

    /// The same for any revision.
    public class func supportedJointNames(forRevision revision: Int) throws -> [VNHumanBodyPoseObservation.JointName] {
        VNRecognizedPointKey.bodyJoints.map { .init(rawValue: $0.key) }
    }

    /// The groups of joints that can be found.
    public var supportedJointsGroupNames: [VNHumanBodyPoseObservation.JointsGroupName] {
        get throws { [.all] + VNRecognizedPointGroupKey.bodyGroups.map { .init(rawValue: $0.key) } }
    }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        var request = DetectHumanBodyPoseRequest()
        request.detectsHands = false
        request.regionOfInterest = try region()
        return try request.bodies(in: frame).map(VNHumanBodyPoseObservation.init)
    }
}
