/// What a classifier says of a stretch of movement.
public struct ActionPrediction: Hashable, Sendable {
    /// The most likely class; nil when the movement is none of the classes.
    public let label: String?
    /// The probability of the most likely class, 0...1, whether or not it was accepted.
    public let confidence: Double
    /// The probability of each class; they sum to 1.
    public let labelProbabilities: [String: Double]
}
