import Foundation

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
