/// The ends of a range of motion, degrees.
public struct RangeFinding: Codable, Sendable, Hashable {
    /// The angles below and above which the joint spends no more than 0.1 s in total.
    public var minimum, maximum: Double
    /// The share of frames with a reading, and the mean confidence of these readings, 0...1.
    public var seen, confidence: Double
}
