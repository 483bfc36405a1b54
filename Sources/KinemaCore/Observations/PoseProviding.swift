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
        PoseJointName.allCases.filter { pose.keypoints[JointKey(rawValue: $0.rawValue)] != nil }
    }

    /// All groups of joints.
    public var availableJointsGroupNames: [PoseJointsGroupName] { Array(PoseJointsGroupName.allCases) }

    /// A joint by name; nil if it was not detected.
    public func joint(for jointName: PoseJointName) -> Joint? {
        pose.keypoints[JointKey(rawValue: jointName.rawValue)].map {
            Joint(
                location: NormalizedPoint(x: $0.location.x, y: $0.location.y), jointName: jointName.rawValue,
                confidence: $0.confidence)
        }
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
