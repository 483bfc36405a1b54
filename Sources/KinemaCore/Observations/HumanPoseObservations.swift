public import Foundation

/// An observation made of named joints.
public protocol PoseProviding: Sendable {
    /// The joints' names.
    associatedtype PoseJointName: CaseIterable, Codable, Hashable, Sendable, RawRepresentable
    where PoseJointName.RawValue == String
    /// The names of groups of joints.
    associatedtype PoseJointsGroupName: CaseIterable, Hashable, Sendable, RawRepresentable

    /// Everything the model found.
    var pose: Pose { get }
    /// The joints of a group.
    static func jointNames(in groupName: PoseJointsGroupName) -> [PoseJointName]
}

extension PoseProviding {
    /// The names of the joints that were detected.
    public var availableJointNames: [PoseJointName] {
        PoseJointName.allCases.filter { joint(for: $0) != nil }
    }

    /// All groups of joints.
    public var availableJointsGroupNames: [PoseJointsGroupName] { Array(PoseJointsGroupName.allCases) }

    /// A joint by name; nil if it was not found: outside the picture, or with a confidence below 0.2.
    public func joint(for jointName: PoseJointName) -> Joint? {
        guard let point = pose.keypoints[JointKey(rawValue: jointName.rawValue)], point.isFound else { return nil }
        return Joint(
            location: NormalizedPoint(x: point.location.x, y: point.location.y), jointName: jointName.rawValue,
            confidence: point.confidence)
    }

    /// The joints of a group by name; all of them for nil.
    public func allJoints(in groupName: PoseJointsGroupName? = nil) -> [PoseJointName: Joint] {
        let names = groupName.map(Self.jointNames(in:)) ?? Array(PoseJointName.allCases)
        return names.reduce(into: [:]) { joints, name in joints[name] = joint(for: name) }
    }
}

/// A joint of one of Vision's observations.
public struct Joint: Hashable, Sendable, Codable {
    /// The number of joints that PoseNet detects on each person.
    public static let numberOfJoints = 17

    /// The position: 0...1, origin at the lower left.
    public let location: NormalizedPoint
    /// The joint's name.
    public let jointName: String
    /// The probability that the joint is at `location`, 0...1.
    public let confidence: Float

    /// Creates a joint from its normalised position (origin at the lower left), name and confidence (0...1).
    public init(location: NormalizedPoint, jointName: String, confidence: Float) {
        (self.location, self.jointName, self.confidence) = (location, jointName, confidence)
    }

    /// The distance to another joint in normalised units, in which an image's width and height are both 1.
    public func distance(to other: Joint) -> CGFloat {
        hypot(location.x - other.location.x, location.y - other.location.y)
    }
}

/// One person's body in one image, with Vision's names.
public struct HumanBodyPoseObservation: VisionObservation, PoseProviding {
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

    /// A unique identifier, by which observations are compared, and the probability that there is a person, 0...1.
    public let uuid: UUID, confidence: Float
    /// The image's time range from the stream's first frame; nil outside a stream.
    public let timeRange: CMTimeRange?
    /// The request that made the observation; nil if no request did.
    public package(set) var originatingRequestDescriptor: RequestDescriptor?
    /// All of the model's joints, also those unknown to Vision: feet, 3D points, the person's number.
    public let pose: Pose
    /// The person's own hand on each side; nil if it was not detected or not requested.
    public var leftHand, rightHand: HumanHandPoseObservation?

    /// Creates an observation from a pose and its time range in the stream.
    public init(_ pose: Pose, timeRange: CMTimeRange? = nil) {
        uuid = UUID()
        confidence = pose.confidence
        (self.timeRange, self.pose) = (timeRange, pose)
    }

    /// The joints of a group.
    public static func jointNames(in groupName: JointsGroupName) -> [JointName] {
        switch groupName {
        case .face: [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
        case .torso: [.neck, .leftShoulder, .rightShoulder, .root, .leftHip, .rightHip]
        case .leftArm: [.leftShoulder, .leftElbow, .leftWrist]
        case .rightArm: [.rightShoulder, .rightElbow, .rightWrist]
        case .leftLeg: [.leftHip, .leftKnee, .leftAnkle]
        case .rightLeg: [.rightHip, .rightKnee, .rightAnkle]
        }
    }

    /// The joints as numbers of shape [1, 3, 18] in OpenPose's order: x, y (origin at the lower left) and confidence; 0
    /// for a missing joint. Sixty arrays, concatenated, are an action classifier's window.
    public var keypoints: MLMultiArray {
        get throws { MLMultiArray(pose.found.keypointsArray()) }
    }
}

/// One hand in one image, with Vision's names.
public struct HumanHandPoseObservation: VisionObservation, PoseProviding {
    /// The side of a hand.
    public enum Chirality: String, CaseIterable, Codable, Hashable, Sendable {
        /// The person's own left or right hand.
        case left, right
    }

    /// Vision's 21 joints of a hand.
    public enum JointName: String, CaseIterable, Codable, Hashable, Sendable {
        /// The base of the hand.
        case wrist
        /// Joints of the thumb, from the palm to the tip.
        case thumbCMC, thumbMP, thumbIP, thumbTip
        /// Joints of the index finger, from the palm to the tip.
        case indexMCP, indexPIP, indexDIP, indexTip
        /// Joints of the middle finger, from the palm to the tip.
        case middleMCP, middlePIP, middleDIP, middleTip
        /// Joints of the ring finger, from the palm to the tip.
        case ringMCP, ringPIP, ringDIP, ringTip
        /// Joints of the little finger, from the palm to the tip.
        case littleMCP, littlePIP, littleDIP, littleTip
    }

    /// The fingers; the wrist belongs to none.
    public enum JointsGroupName: String, CaseIterable, Codable, Hashable, Sendable {
        /// The four joints of a finger.
        case thumb, indexFinger, middleFinger, ringFinger, littleFinger
    }

    /// A unique identifier, by which observations are compared, and the probability that there is a hand, 0...1.
    public let uuid: UUID, confidence: Float
    /// The side of the hand; nil if unknown. Correct for images that are not mirrored.
    public var chirality: Chirality?
    /// The image's time range from the stream's first frame; nil outside a stream.
    public let timeRange: CMTimeRange?
    /// The request that made the observation; nil if no request did.
    public package(set) var originatingRequestDescriptor: RequestDescriptor?
    /// The joints, normalised and in metres, and the hand's number, which stays the same from frame to frame.
    public var pose: Pose

    /// Creates an observation from a hand's pose, its side and its time range in the stream.
    public init(_ pose: Pose, chirality: Chirality?, timeRange: CMTimeRange? = nil) {
        uuid = UUID()
        confidence = pose.confidence
        (self.chirality, self.timeRange, self.pose) = (chirality, timeRange, pose)
    }

    /// The joints of a finger, from the palm to the tip.
    public static func jointNames(in groupName: JointsGroupName) -> [JointName] {
        switch groupName {
        case .thumb: [.thumbCMC, .thumbMP, .thumbIP, .thumbTip]
        case .indexFinger: [.indexMCP, .indexPIP, .indexDIP, .indexTip]
        case .middleFinger: [.middleMCP, .middlePIP, .middleDIP, .middleTip]
        case .ringFinger: [.ringMCP, .ringPIP, .ringDIP, .ringTip]
        case .littleFinger: [.littleMCP, .littlePIP, .littleDIP, .littleTip]
        }
    }

    /// The joints as numbers of shape [1, 3, 21] in `JointName` order: x, y (origin lower left), confidence; 0 if none.
    public var keypoints: MLMultiArray {
        get throws { MLMultiArray(pose.found.array(of: JointName.allCases.map { JointKey(rawValue: $0.rawValue) })) }
    }
}
