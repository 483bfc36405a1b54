import Foundation

/// Turns a linear classifier's scores into probabilities that hold: the score of each class, sharpened, through softmax.
///
/// One number is fitted to scores of examples that were left out (Guo, Pleiss, Sun, Weinberger: On Calibration of Modern
/// Neural Networks, ICML 2017, temperature scaling).
struct Calibration: Sendable, Hashable, Codable {
    /// What scores are multiplied by.
    var sharpness: Float

    /// Of scores about -1 and 1 apart; used where nothing could be left out.
    static let usual = Calibration(sharpness: 2.5)

    /// Probabilities of all classes; they sum to 1.
    func probabilities(_ scores: [Float]) -> [Float] {
        let most = scores.max() ?? 0
        let powers = scores.map { exp(($0 - most) * sharpness) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }

    /// The sharpness under which the right classes are the most likely.
    static func fitted(to scores: [[Float]], labels: [Int]) -> Calibration {
        guard scores.count >= 5 else { return usual }
        func loss(_ logarithm: Double) -> Double {
            let sharpness: Double = exp(logarithm)
            var sum = 0.0
            for (row, label) in zip(scores, labels) {
                let most = Double(row.max() ?? 0)
                let powers: Double = row.reduce(0.0) { $0 + exp((Double($1) - most) * sharpness) }
                sum += log(powers) - (Double(row[label]) - most) * sharpness
            }
            return sum
        }
        // Golden section between a tenth and 20: below, everything is equally likely; above, nothing is ever doubted.
        var (low, high): (Double, Double) = (log(0.1), log(20.0))
        for _ in 0..<30 {
            let (left, right) = (low + (high - low) * 0.382, low + (high - low) * 0.618)
            if loss(left) < loss(right) { high = right } else { low = left }
        }
        let middle: Double = (low + high) / 2
        return Calibration(sharpness: Float(exp(middle)))
    }
}
