public import Foundation

/// One hand in one picture, with Vision's names.
public struct HumanHandPoseObservation: PoseProviding, Hashable {
    /// Which hand of a person it is.
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

    /// The protocol's name for `JointName`.
    public typealias PoseJointName = JointName
    /// The protocol's name for `JointsGroupName`.
    public typealias PoseJointsGroupName = JointsGroupName

    /// A unique identifier of this observation.
    public let uuid: UUID
    /// The probability that there is a hand, 0...1.
    public let confidence: Float
    /// Which hand it is; nil if unknown. Correct for pictures that are not mirrored.
    public var chirality: Chirality?
    /// The picture's time range in seconds from the stream's first frame; nil outside a stream.
    public let timeRange: Range<TimeInterval>?
    /// The joints, normalised and in metres, and the hand's number, which stays the same from frame to frame.
    public var pose: Pose

    /// Makes an observation from a hand's pose, its side and its time range in the stream.
    public init(_ pose: Pose, chirality: Chirality?, timeRange: Range<TimeInterval>? = nil) {
        uuid = UUID()
        confidence = pose.confidence
        self.chirality = chirality
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

    /// The joints of a finger by name; all 21 for nil.
    public func allJoints(in groupName: JointsGroupName? = nil) -> [JointName: Joint] {
        let names = groupName?.jointNames ?? JointName.allCases
        return names.reduce(into: [:]) { joints, name in joints[name] = joint(for: name) }
    }

    /// Two observations are equal if they have the same identifier.
    public static func == (one: Self, other: Self) -> Bool { one.uuid == other.uuid }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(uuid) }
}

extension HumanHandPoseObservation.JointName {
    /// The same joint in Create ML Components' terms.
    public var key: JointKey { JointKey(rawValue: rawValue) }
}

extension HumanHandPoseObservation.JointsGroupName {
    /// The joints of the finger, from the palm to the tip.
    public var jointNames: [HumanHandPoseObservation.JointName] {
        switch self {
        case .thumb: [.thumbCMC, .thumbMP, .thumbIP, .thumbTip]
        case .indexFinger: [.indexMCP, .indexPIP, .indexDIP, .indexTip]
        case .middleFinger: [.middleMCP, .middlePIP, .middleDIP, .middleTip]
        case .ringFinger: [.ringMCP, .ringPIP, .ringDIP, .ringTip]
        case .littleFinger: [.littleMCP, .littlePIP, .littleDIP, .littleTip]
        }
    }
}
