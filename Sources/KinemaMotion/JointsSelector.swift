import Foundation
public import KinemaCore

/// Blanks unwanted joints: they stay in the pose with location (0, 0) and confidence 0.
public struct JointsSelector: Transformer, Hashable, Sendable, Codable {
    private enum Choice: Hashable, Sendable, Codable {
        case ignored(Set<JointKey>)
        case selected(Set<JointKey>)
    }

    private let choice: Choice

    /// Blanks the given joints.
    public init(ignoredJoints: [JointKey]) { choice = .ignored(Set(ignoredJoints)) }

    /// Blanks all joints except the given ones.
    public init(selectedJoints: [JointKey]) { choice = .selected(Set(selectedJoints)) }

    /// The pose with location and confidence of the blanked joints set to zero.
    public func applied(to input: Pose, eventHandler: EventHandler? = nil) -> Pose {
        var pose = input
        for key in input.keypoints.keys where isIgnored(key) {
            pose.keypoints[key] = JointPoint(key, location: .zero, confidence: 0)
        }
        for key in input.keypoints3D.keys where isIgnored(key) {
            pose.keypoints3D[key] = JointPoint3D(key, position: .zero, confidence: 0)
        }
        return pose
    }

    private func isIgnored(_ key: JointKey) -> Bool {
        switch choice {
        case .ignored(let keys): keys.contains(key)
        case .selected(let keys): !keys.contains(key)
        }
    }
}
