public import Foundation

/// A joint in a pose: where it is in the picture, and how sure that is.
public struct JointPoint: Equatable, Hashable, Sendable, Codable {
    /// The joint's name.
    public let key: JointKey
    /// The position, normalised to the picture: 0...1, origin at the lower left. Outside 0...1 when out of view.
    public var location: CGPoint
    /// How likely the joint is where `location` says, 0...1.
    public var confidence: Float

    /// Makes a joint from its name, normalised position (origin at the lower left) and confidence (0...1).
    public init(_ key: JointKey, location: CGPoint, confidence: Float) {
        self.key = key
        self.location = location
        self.confidence = confidence
    }
}
