/// A repetition that was counted, and what found it: a line of `kinema count --explain`.
public struct FoundRepetition: Encodable, Sendable, Hashable {
    /// What found it.
    public enum Origin: String, Encodable, Sendable {
        /// The last seconds, while the movement went on.
        case live
        /// The whole recording, once it had ended.
        case whole
    }

    /// The repetition.
    public var repetition: Repetition
    /// What found it.
    public var origin: Origin

    private enum CodingKeys: String, CodingKey {
        case start, end, confidence
        case origin = "found"
    }

    /// Writes `start`, `end`, `confidence` and `found`.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(CycleExplanation.rounded(repetition.start), forKey: .start)
        try values.encode(CycleExplanation.rounded(repetition.end), forKey: .end)
        try values.encode(CycleExplanation.rounded(Double(repetition.confidence)), forKey: .confidence)
        try values.encode(origin, forKey: .origin)
    }
}
