public import Foundation

/// One repetition: the movement from one posture to another and back.
public struct Repetition: Hashable, Sendable, Codable {
    /// When the movement left the starting posture and when it returned to it, seconds.
    public var start, end: TimeInterval
    /// The probability that this was a repetition of an exercise, 0...1.
    public var confidence: Float

    /// Makes a repetition from its beginning and end in seconds and its confidence (0...1).
    package init(start: TimeInterval, end: TimeInterval, confidence: Float) {
        (self.start, self.end, self.confidence) = (start, end, confidence)
    }

    /// How long it took, seconds.
    public var duration: TimeInterval { end - start }

    /// The share of it that lies in others, 0...1.
    func share(in others: some Sequence<Repetition>) -> Double {
        others.reduce(0) { $0 + max(0, min(end, $1.end) - max(start, $1.start)) } / max(duration, 1e-3)
    }

    /// The intersection over union in time, 0...1.
    func overlap(with other: Repetition) -> Double {
        max(0, min(end, other.end) - max(start, other.start)) / max(1e-3, max(end, other.end) - min(start, other.start))
    }
}
