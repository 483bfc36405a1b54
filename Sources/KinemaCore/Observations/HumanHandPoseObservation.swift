public import Foundation

/// One hand in one picture, with the names of Vision.
public struct HumanHandPoseObservation: PoseProviding, Hashable {
    /// Which hand of a person it is.
    public enum Chirality: String, CaseIterable, Codable, Hashable, Sendable {
        /// The person's own left or right hand.
        case left, right
    }

    /// Vision's 21 joints of a hand.
    public enum JointName: String, CaseIterable, Codable, Hashable, Sendable {
        /// Where the hand begins.
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

    /// The name protocols use for `JointName`.
    public typealias PoseJointName = JointName
    /// The name protocols use for `JointsGroupName`.
    public typealias PoseJointsGroupName = JointsGroupName

    /// A number of this observation's own.
    public let uuid: UUID
    /// How likely there is a hand at all, 0...1.
    public let confidence: Float
    /// Which hand it is, nil when nobody can tell; right for pictures that are not mirrored.
    public var chirality: Chirality?
    /// When the picture belongs to a stream: the stretch it covers, seconds from the stream's first frame.
    public let timeRange: Range<TimeInterval>?
    /// The joints, normalised, in metres too, and the hand's number, which it keeps from frame to frame.
    public var pose: Pose

    /// Makes an observation from a hand's pose, its side, and the stretch of the stream it belongs to.
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

    /// A joint by name, nil when it was not found.
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

    /// Two observations are equal when they are the same observation.
    public static func == (one: Self, other: Self) -> Bool { one.uuid == other.uuid }

    /// Hashes the observation's own number.
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
