/// A type of throw with its confidence.
package struct ThrowTypePrediction: Sendable, Hashable {
    /// The type.
    package var type: ThrowType
    /// Its confidence, 0...1.
    package var confidence: Float

    /// Creates a prediction; the confidence is 0...1.
    package init(_ type: ThrowType, confidence: Float) { (self.type, self.confidence) = (type, confidence) }
}
