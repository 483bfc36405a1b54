import Foundation

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
