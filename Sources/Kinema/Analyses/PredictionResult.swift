import Foundation
import KinemaCore
package import KinemaMotion

/// A classifier's prediction for the most recent window; a line of `kinema classify --format jsonl`.
public struct PredictionResult: Codable, Sendable, Hashable {
    /// The time of the prediction, seconds.
    public var time: Double
    /// The most likely class; null if the movement belongs to none.
    @Nullable public var label: String?
    /// The probability of the most likely class, 0...1.
    public var confidence: Double
    /// The probability of each class.
    public var probabilities: [String: Double]

    package init(_ prediction: ActionPrediction, at time: TimeInterval) {
        (self.time, label) = (time.rounded(to: 4), prediction.label)
        confidence = prediction.confidence.rounded(to: 4)
        probabilities = prediction.labelProbabilities.mapValues { $0.rounded(to: 4) }
    }
}
