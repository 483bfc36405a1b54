/// A repetition that was counted, and what found it: a line of `kinema count --explain`.
public struct FoundRepetition: Encodable, Sendable, Hashable {
    /// What found it.
    public enum Origin: String, Encodable, Sendable {
        /// The counter that follows the movement while it goes on.
        case live
        /// The look at the whole, when it was over.
        case whole
    }

    /// The repetition.
    public var repetition: Repetition
    /// What found it.
    public var origin: Origin

    init(_ repetition: Repetition, _ origin: Origin) { (self.repetition, self.origin) = (repetition, origin) }

    private enum CodingKeys: String, CodingKey {
        case start, end, confidence
        case origin = "found"
    }

    /// Writes `start`, `end`, `confidence` and `found`.
    public func encode(to encoder: any Encoder) throws {
        func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(rounded(repetition.start), forKey: .start)
        try values.encode(rounded(repetition.end), forKey: .end)
        try values.encode(rounded(Double(repetition.confidence)), forKey: .confidence)
        try values.encode(origin, forKey: .origin)
    }
}
