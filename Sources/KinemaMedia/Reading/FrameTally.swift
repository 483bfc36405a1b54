/// How many frames came and what became of them: `arrived` is always `analysed` + `dropped` + those still waiting, and of
/// a reading that has ended exactly `analysed` + `dropped`.
public struct FrameTally: Hashable, Sendable, Codable {
    /// Frames that were decoded whole.
    public internal(set) var arrived = 0
    /// Frames that were handed to whoever reads.
    public internal(set) var analysed = 0
    /// Frames that were overtaken by a newer one, or that nobody wanted any more.
    public internal(set) var dropped = 0

    /// Counts nothing yet.
    public init() {}
}
