public import Foundation

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
