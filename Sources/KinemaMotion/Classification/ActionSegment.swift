public import Foundation

/// A time segment of one action.
public struct ActionSegment: Hashable, Sendable, Codable {
    /// When it begins, seconds from the first frame.
    public var start: TimeInterval
    /// When it ends, seconds from the first frame.
    public var end: TimeInterval
    /// The class; nil if it is none of them.
    public var label: String?
    /// The mean probability of the class over the segment, 0...1; of the most likely class if it is none of them.
    public var confidence: Double
}
