/// How a classifier was trained, and how well it did on what it had not learnt from.
public struct TrainingSummary: Hashable, Sendable, Codable {
    /// Clips learnt from, by class.
    public var clips: [String: Int]
    /// Windows learnt from, without changed copies.
    public var windows: Int
    /// People or, where nobody said who it was, clips that were left out in turn.
    public var groups: Int
    /// The share of clips named right by a fit without their group; nil when nothing could be left out.
    public var heldOutClipAccuracy: Double?
    /// The same for single windows.
    public var heldOutWindowAccuracy: Double?
    /// The number that all chance came from.
    public var seed: Int
}
