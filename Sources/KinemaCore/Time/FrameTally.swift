/// The number of frames that arrived and what happened to them: `arrived` is `analysed` + `dropped` + those still
/// waiting.
public struct FrameTally: Hashable, Sendable, Codable {
    /// Frames that arrived.
    public internal(set) var arrived = 0
    /// Frames that were passed to the analysis, except those it could not read.
    public internal(set) var analysed = 0
    /// Frames that were replaced, arrived too fast or in the wrong order, were unreadable, or still waited at the end.
    public internal(set) var dropped = 0

    package init() {}

    package static func + (one: FrameTally, other: FrameTally) -> FrameTally {
        var sum = one
        sum.arrived += other.arrived
        sum.analysed += other.analysed
        sum.dropped += other.dropped
        return sum
    }
}
