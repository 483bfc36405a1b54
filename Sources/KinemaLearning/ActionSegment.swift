package import Foundation
import KinemaCore

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

/// A time segment of one action.
package struct ActionSegment: Hashable, Sendable, Codable {
    /// When it begins and ends, seconds from the first frame.
    package var start, end: TimeInterval
    /// The class; nil if it is none of them.
    package var label: String?
    /// The mean probability of the class over the segment, 0...1; of the most likely class if it is none of them.
    package var confidence: Double
}

/// The clips that training holds out, to choose settings and to measure accuracy.
public enum ActionValidation: Hashable, Sendable {
    /// Each person in turn, or each clip where people are unknown; the classifier is trained on all clips.
    case automatic
    /// Nothing; the settings are the trainer's.
    case none
    /// People, or clips where they are unknown, with about this share of the clips of each class, 0.05...0.5.
    case split(Double)
}

/// A confusion matrix: how often each class was predicted for each true class.
package struct ClassificationMetrics<Label: Hashable & Comparable & Sendable>: Sendable {
    /// All classes that occur, sorted.
    package private(set) var labels: [Label] = []
    private var counts: [Label: [Label: Int]] = [:]

    /// Makes empty metrics; the given classes are listed even if they never occur.
    package init(labels: [Label] = []) { self.labels = Set(labels).sorted() }

    package mutating func add(_ predicted: Label, truth: Label) {
        counts[truth, default: [:]][predicted, default: 0] += 1
        for label in [predicted, truth] where !labels.contains(label) {
            labels.append(label)
            labels.sort()
        }
    }

    package func count(predicted: Label, truth: Label) -> Int { counts[truth]?[predicted] ?? 0 }

    package var total: Int { counts.values.reduce(0) { $0 + $1.values.reduce(0, +) } }
    package var correct: Int { labels.reduce(0) { $0 + count(predicted: $1, truth: $1) } }
    /// The share of correct predictions, 0...1; 0 without any.
    package var accuracy: Double { total > 0 ? Double(correct) / Double(total) : 0 }

    /// The share of predictions of this class that were correct; nil if it was never predicted.
    package func precision(_ label: Label) -> Double? {
        let predicted = labels.reduce(0) { $0 + count(predicted: label, truth: $1) }
        return predicted > 0 ? Double(count(predicted: label, truth: label)) / Double(predicted) : nil
    }

    /// The share of this class's examples that were recognised; nil if there were none.
    package func recall(_ label: Label) -> Double? {
        let actual = labels.reduce(0) { $0 + count(predicted: $1, truth: label) }
        return actual > 0 ? Double(count(predicted: label, truth: label)) / Double(actual) : nil
    }
}

/// Calibrates a linear classifier: scales its scores, then applies softmax.
///
/// The scale is fitted to held-out examples (Guo, Pleiss, Sun, Weinberger: On Calibration of Modern Neural Networks,
/// ICML 2017, temperature scaling).
package struct Calibration: Sendable, Hashable, Codable {
    /// The factor for scores, an inverse temperature.
    var sharpness: Float

    /// The calibration for scores of about -1 and 1, used if nothing could be held out.
    static let standard = Calibration(sharpness: 2.5)

    /// The probabilities of all classes, which sum to 1.
    func probabilities(_ scores: [Float]) -> [Float] { Self.softmax(scores, sharpness: sharpness) }

    package static func softmax(_ scores: [Float], sharpness: Float = 1) -> [Float] {
        let maximum = scores.max() ?? 0
        let powers = scores.map { exp(($0 - maximum) * sharpness) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }

    /// Fits the sharpness by maximum likelihood.
    static func fitted(to scores: [[Float]], labels: [Int]) -> Calibration {
        guard scores.count >= 5 else { return standard }
        func loss(_ logarithm: Double) -> Double {
            let sharpness: Double = exp(logarithm)
            var sum = 0.0
            for (row, label) in zip(scores, labels) {
                let maximum = Double(row.max() ?? 0)
                let powers: Double = row.reduce(0.0) { $0 + exp((Double($1) - maximum) * sharpness) }
                sum += log(powers) - (Double(row[label]) - maximum) * sharpness
            }
            return sum
        }
        // Golden-section search between 0.1, where everything is equally likely, and 20, where nothing is in doubt.
        var (low, high): (Double, Double) = (log(0.1), log(20.0))
        for _ in 0..<30 {
            let (left, right) = (low + (high - low) * 0.382, low + (high - low) * 0.618)
            if loss(left) < loss(right) { high = right } else { low = left }
        }
        let middle: Double = (low + high) / 2
        return Calibration(sharpness: Float(exp(middle)))
    }
}
