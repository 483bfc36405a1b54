/// The floor in the picture.
public struct FloorLine: Codable, Sendable, Hashable {
    /// Degrees from the picture's lower edge; positive if the floor rises to the right.
    public var angle: Double
    /// The floor's height in the middle of the picture, in picture heights from the lower edge.
    public var height: Double

    /// Creates a floor from its angle in degrees and its height in the middle of the picture, 0...1.
    public init(angle: Double, height: Double) { (self.angle, self.height) = (angle, height) }
}
