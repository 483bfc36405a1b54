/// A joint in space: metres from the middle of the hips, or of the hand it belongs to.
///
/// Axes as the camera sees the person: x to the picture's right, y up, z towards the camera.
public struct JointPoint3D: Equatable, Hashable, Sendable, Codable {
    /// The joint's name.
    public let key: JointKey
    /// The position in metres: x right, y up, z towards the camera; the origin is the middle of the hips, or of the hand.
    public var position: SIMD3<Float>
    /// How likely the joint is where `position` says, 0...1.
    public var confidence: Float

    /// Makes a joint from its name, position in metres and confidence (0...1).
    public init(_ key: JointKey, position: SIMD3<Float>, confidence: Float) {
        self.key = key
        self.position = position
        self.confidence = confidence
    }
}
