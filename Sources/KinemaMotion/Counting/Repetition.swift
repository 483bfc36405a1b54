public import Foundation

/// One repetition: the way from a posture to another one and back.
public struct Repetition: Hashable, Sendable, Codable {
    /// When the movement left the starting posture, seconds.
    public var start: TimeInterval
    /// When it was back, seconds.
    public var end: TimeInterval
    /// How sure it is that this was a repetition of an exercise, 0...1.
    public var confidence: Float

    /// Makes a repetition from its beginning and end in seconds and its confidence (0...1).
    public init(start: TimeInterval, end: TimeInterval, confidence: Float) {
        self.start = start
        self.end = end
        self.confidence = confidence
    }

    /// How long it took, seconds.
    public var duration: TimeInterval { end - start }
}
