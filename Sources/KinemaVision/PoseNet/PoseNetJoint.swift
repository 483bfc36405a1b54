public import Foundation
public import KinemaCore

/// A joint with the members that it has in Apple's PoseNet sample.
public struct PoseNetJoint: Hashable, Sendable {
    /// The joint's name.
    public let name: JointKey
    /// The position in pixels of the image, origin at the upper left; (0, 0) if the joint was not found.
    public let position: CGPoint
    /// The probability that the joint is at `position`, 0...1; 0 below the builder's threshold.
    public let confidence: Double
    /// Whether the joint was found, as `JointPoint.isValid`.
    public let isValid: Bool
}

extension Pose {
    /// PoseNet's 17 joints, in pixels of the image that `PoseBuilder` was given; without an image in shares of it, 0...1.
    public var joints: [JointKey: PoseNetJoint] {
        let size = imageSize ?? CGSize(width: 1, height: 1)
        return PoseNetSkeleton.joints.reduce(into: [:]) { joints, key in
            let point = keypoints[key].map {
                CGPoint(x: $0.location.x * size.width, y: (1 - $0.location.y) * size.height)
            }
            joints[key] = PoseNetJoint(
                name: key, position: point ?? .zero, confidence: Double(self[key].confidence),
                isValid: self[key].isValid)
        }
    }
}
