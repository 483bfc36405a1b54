/// An observation made of named joints.
public protocol PoseProviding: Sendable {
    /// The joints' names.
    associatedtype PoseJointName: Codable, Hashable, Sendable, RawRepresentable where PoseJointName.RawValue == String
    /// The names of groups of joints.
    associatedtype PoseJointsGroupName: CaseIterable, Hashable, Sendable, RawRepresentable

    /// The names this observation can answer to.
    var availableJointNames: [PoseJointName] { get }
    /// The groups this observation can answer to.
    var availableJointsGroupNames: [PoseJointsGroupName] { get }
    /// A joint by name, nil when it was not found.
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
