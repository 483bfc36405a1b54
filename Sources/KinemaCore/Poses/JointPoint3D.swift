/// A joint in space: metres from the midpoint of the hips or the hand, x to the right, y up, z towards the camera.
public struct JointPoint3D: Equatable, Hashable, Sendable, Codable {
    /// The joint's name.
    public let key: JointKey
    /// The position in metres: x right, y up, z towards the camera.
    public var position: SIMD3<Float>
    /// The probability that the joint is at `position`, 0...1.
    public var confidence: Float

    /// Creates a joint from its name, position in metres and confidence (0...1).
    public init(_ key: JointKey, position: SIMD3<Float>, confidence: Float) {
        (self.key, self.position, self.confidence) = (key, position, confidence)
    }
}
