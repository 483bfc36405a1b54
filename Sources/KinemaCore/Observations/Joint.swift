public import Foundation

/// A joint as Vision's observations give it.
public struct Joint: Hashable, Sendable, Codable {
    /// Where the joint is: 0...1, origin at the lower left.
    public let location: NormalizedPoint
    /// The joint's name.
    public let jointName: String
    /// How likely the joint is where `location` says, 0...1.
    public let confidence: Float

    /// Makes a joint from its normalised position (origin at the lower left), name and confidence (0...1).
    public init(location: NormalizedPoint, jointName: String, confidence: Float) {
        self.location = location
        self.jointName = jointName
        self.confidence = confidence
    }

    /// The distance to another joint in normalised units; widths and heights of the picture count alike.
    public func distance(to other: Joint) -> CGFloat {
        hypot(location.x - other.location.x, location.y - other.location.y)
    }
}
