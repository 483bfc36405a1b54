import Foundation

/// A linear classifier by ridge regression on standardised features, with a closed-form solution.
struct RidgeClassifier: Sendable, Hashable, Codable {
    /// The offset subtracted from each feature, and the factor it is then multiplied by.
    var centre: [Float]
    var factor: [Float]
    /// One row of weights per class.
    var weights: [[Float]]
    var bias: [Float]

    /// Standardised features are clipped at this many standard deviations.
    ///
    /// Features of unknown people lie further out than those of the training set and would outvote the rest. Chosen on
    /// the people of one set of recordings, together with the joint smoothing and the statistics.
    static let clip: Float = 1.5

    func standardised(_ features: [Float]) -> [Float] {
        var result = features
        for index in result.indices {
            result[index] = max(-Self.clip, min(Self.clip, (result[index] - centre[index]) * factor[index]))
        }
        return result
    }

    /// The score of each class from standardised features; about 1 for the right class and -1 for others.
    func scores(standardised features: [Float]) -> [Float] {
        zip(weights, bias).map { row, bias in
            var sums = SIMD4<Float>.zero
            let whole = features.count / 4 * 4
            for index in stride(from: 0, to: whole, by: 4) {
                sums +=
                    SIMD4(features[index], features[index + 1], features[index + 2], features[index + 3])
                    * SIMD4(row[index], row[index + 1], row[index + 2], row[index + 3])
            }
            var sum = sums.sum() + bias
            for index in whole..<features.count { sum += features[index] * row[index] }
            return sum
        }
    }
}
