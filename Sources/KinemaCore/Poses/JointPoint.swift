public import Foundation

/// A joint of a pose: its position in the image and its confidence.
public struct JointPoint: Equatable, Hashable, Sendable, Codable {
    /// The joint's name.
    public let key: JointKey
    /// The position, normalised to the image: 0...1, origin at the lower left. Outside 0...1 when out of view.
    public var location: CGPoint
    /// The probability that the joint is at `location`, 0...1.
    public var confidence: Float

    /// Creates a joint from its name, normalised position (origin at the lower left) and confidence (0...1).
    public init(_ key: JointKey, location: CGPoint, confidence: Float) {
        (self.key, self.location, self.confidence) = (key, location, confidence)
    }

    /// Whether the joint was detected: with a confidence of at least 0.1, the joint threshold of Apple's samples.
    public var isValid: Bool { confidence >= 0.1 }
}
