public import Foundation

/// A stretch of one action.
public struct ActionSegment: Hashable, Sendable, Codable {
    /// When it begins, seconds from the first frame.
    public var start: TimeInterval
    /// When it ends, seconds from the first frame.
    public var end: TimeInterval
    /// The class; nil when it is none of them.
    public var label: String?
    /// The mean probability of the class over the stretch, 0...1; of the likeliest when it is none of them.
    public var confidence: Double

    /// Makes a stretch from its times in seconds, its class and the probability of it.
    public init(start: TimeInterval, end: TimeInterval, label: String?, confidence: Double) {
        self.start = start
        self.end = end
        self.label = label
        self.confidence = confidence
    }
}
