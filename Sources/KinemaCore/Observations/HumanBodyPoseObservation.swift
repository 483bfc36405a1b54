public import Foundation

/// An observation made of named joints.
public protocol PoseProviding: Sendable {
    /// The joints' names.
    associatedtype PoseJointName: Codable, Hashable, Sendable, RawRepresentable where PoseJointName.RawValue == String
    /// The names of groups of joints.
    associatedtype PoseJointsGroupName: CaseIterable, Hashable, Sendable, RawRepresentable

    /// The names of the joints this observation can return.
    var availableJointNames: [PoseJointName] { get }
    /// The groups of joints this observation can return.
    var availableJointsGroupNames: [PoseJointsGroupName] { get }
    /// A joint by name; nil if it was not found.
    func joint(for jointName: PoseJointName) -> Joint?
    /// The joints of a group by name; all of them for nil.
    func allJoints(in groupName: PoseJointsGroupName?) -> [PoseJointName: Joint]
}

extension PoseProviding {
    /// All joints by name.
    public func allJoints() -> [PoseJointName: Joint] {
        allJoints(in: nil)
    }
}

/// A joint of one of Vision's observations.
public struct Joint: Hashable, Sendable, Codable {
    /// The position: 0...1, origin at the lower left.
    public let location: NormalizedPoint
    /// The joint's name.
    public let jointName: String
    /// The probability that the joint is at `location`, 0...1.
    public let confidence: Float

    /// Makes a joint from its normalised position (origin at the lower left), name and confidence (0...1).
    public init(location: NormalizedPoint, jointName: String, confidence: Float) {
        self.location = location
        self.jointName = jointName
        self.confidence = confidence
    }

    /// The distance to another joint in normalised units, in which a picture's width and height are both 1.
    public func distance(to other: Joint) -> CGFloat {
        hypot(location.x - other.location.x, location.y - other.location.y)
    }
}

/// One person's body in one picture, with Vision's names.
public struct HumanBodyPoseObservation: PoseProviding, Hashable {
    /// Vision's 19 joints of the body.
    public enum JointName: String, CaseIterable, Codable, Hashable, Sendable {
        /// Joints of the face.
        case nose, leftEye, rightEye, leftEar, rightEar
        /// Joints of the trunk.
        case neck, leftShoulder, rightShoulder, root, leftHip, rightHip
        /// Joints of the arms.
        case leftElbow, rightElbow, leftWrist, rightWrist
        /// Joints of the legs.
        case leftKnee, rightKnee, leftAnkle, rightAnkle
    }

    /// Groups of joints; they overlap.
    public enum JointsGroupName: String, CaseIterable, Codable, Hashable, Sendable {
        /// Nose, eyes and ears.
        case face
        /// Neck, shoulders, root and hips.
        case torso
        /// Shoulder, elbow and wrist.
        case leftArm, rightArm
        /// Hip, knee and ankle.
        case leftLeg, rightLeg
    }

    /// The protocol's name for `JointName`.
    public typealias PoseJointName = JointName
    /// The protocol's name for `JointsGroupName`.
    public typealias PoseJointsGroupName = JointsGroupName

    /// A unique identifier of this observation.
    public let uuid: UUID
    /// The probability that there is a person, 0...1.
    public let confidence: Float
    /// The picture's time range in seconds from the stream's first frame; nil outside a stream.
    public let timeRange: Range<TimeInterval>?
    /// Everything the model found, including what Vision has no joints for: feet, 3D points, the person's number.
    public let pose: Pose
    /// The person's own left hand; nil if it was not found or not requested.
    public var leftHand: HumanHandPoseObservation?
    /// The person's own right hand; nil if it was not found or not requested.
    public var rightHand: HumanHandPoseObservation?

    /// Makes an observation from a pose and its time range in the stream.
    public init(_ pose: Pose, timeRange: Range<TimeInterval>? = nil) {
        uuid = UUID()
        confidence = pose.confidence
        self.timeRange = timeRange
        self.pose = pose
    }

    /// The names of the joints that were found.
    public var availableJointNames: [JointName] {
        JointName.allCases.filter { pose.keypoints[$0.key] != nil }
    }

    /// All groups.
    public var availableJointsGroupNames: [JointsGroupName] { JointsGroupName.allCases }

    /// A joint by name; nil if it was not found.
    public func joint(for jointName: JointName) -> Joint? {
        pose.keypoints[jointName.key].map {
            Joint(
                location: NormalizedPoint(x: $0.location.x, y: $0.location.y), jointName: jointName.rawValue,
                confidence: $0.confidence)
        }
    }

    /// The joints of a group by name; all 19 for nil.
    public func allJoints(in groupName: JointsGroupName? = nil) -> [JointName: Joint] {
        let names = groupName?.jointNames ?? JointName.allCases
        return names.reduce(into: [:]) { joints, name in joints[name] = joint(for: name) }
    }

    /// Two observations are equal if they have the same identifier.
    public static func == (one: Self, other: Self) -> Bool { one.uuid == other.uuid }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}

extension HumanBodyPoseObservation.JointName {
    /// The same joint in Create ML Components' terms.
    public var key: JointKey { JointKey(rawValue: rawValue) }
}

extension HumanBodyPoseObservation.JointsGroupName {
    /// The joints of the group.
    public var jointNames: [HumanBodyPoseObservation.JointName] {
        switch self {
        case .face: [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
        case .torso: [.neck, .leftShoulder, .rightShoulder, .root, .leftHip, .rightHip]
        case .leftArm: [.leftShoulder, .leftElbow, .leftWrist]
        case .rightArm: [.rightShoulder, .rightElbow, .rightWrist]
        case .leftLeg: [.leftHip, .leftKnee, .leftAnkle]
        case .rightLeg: [.rightHip, .rightKnee, .rightAnkle]
        }
    }
}
