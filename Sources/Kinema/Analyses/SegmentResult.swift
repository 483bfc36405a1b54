import KinemaCore
package import KinemaMotion

/// A segment of one action; the JSON of `kinema classify`.
public struct SegmentResult: Codable, Sendable, Hashable {
    /// The start and end of the segment, seconds.
    public var start: Double, end: Double
    /// The class; null if there is none.
    @Nullable public var label: String?
    /// The mean probability of the class over the segment, 0...1.
    public var confidence: Double

    package init(_ segment: ActionSegment) {
        (start, end) = (segment.start.rounded(to: 4), segment.end.rounded(to: 4))
        (label, confidence) = (segment.label, segment.confidence.rounded(to: 4))
    }
}
