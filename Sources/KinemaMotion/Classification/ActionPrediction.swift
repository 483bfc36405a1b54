import Foundation

/// A classifier's prediction for a movement.
public struct ActionPrediction: Hashable, Sendable {
    /// The most likely class; nil if the movement is none of the classes.
    public let label: String?
    /// The probability of the most likely class, 0...1, even if it was rejected.
    public let confidence: Double
    /// The probability of each class; they sum to 1.
    public let labelProbabilities: [String: Double]

    /// Takes the most likely class; none where its probability is below the threshold or the movement is strange.
    package init(classes: [String], probabilities: [Float], threshold: Double, isStrange: Bool) {
        let best = probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0
        confidence = Double(probabilities[best])
        label = confidence >= threshold && !isStrange ? classes[best] : nil
        labelProbabilities = Dictionary(uniqueKeysWithValues: zip(classes, probabilities.map(Double.init)))
    }

    /// The most likely class, whether or not it was accepted.
    package var mostLikely: String? {
        labelProbabilities.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}
