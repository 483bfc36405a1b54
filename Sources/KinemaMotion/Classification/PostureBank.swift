import Foundation
import KinemaCore

/// Extracts features from the posture in a window: statistics of each series, compared with many random prototypes.
///
/// The comparison is that of random Fourier features (Rahimi and Recht, Random Features for Large-Scale Kernel Machines,
/// NIPS 2007), so that a linear classifier of them approximates one that weighs how alike two postures are.
struct PostureBank: Sendable, Hashable {
    /// How the numbers are compared.
    struct Shape: Sendable, Hashable, Codable {
        /// The number of features.
        var count = 768
        /// How soon two postures count as unlike: the factor of their mean squared distance in standard deviations. From
        /// 0.3 to 1 push-ups were named about equally well, by blocks of files and by people left out.
        var sharpness: Float = 0.4
        var seed = 0
    }

    /// Statistics are clipped at this many standard deviations.
    static let clip: Float = 3
    /// The number of statistics per window.
    static let inputs = PostureSeries.channels * FeatureBank.statistics

    let shape: Shape
    /// The offset subtracted from each statistic, and the factor it is then multiplied by.
    private(set) var centre: [Float]
    private(set) var factor: [Float]
    /// One row of weights and one phase per feature, drawn from the seed.
    let weights: [Float]
    let phases: [Float]

    /// Makes a bank that standardises like the given statistics of training windows.
    init(_ shape: Shape, fitting statistics: [[Float]]) {
        let scale = RidgeTraining.standardiser(statistics)
        self.init(shape, centre: scale.centre, factor: scale.factor)
    }

    private init(_ shape: Shape, centre: [Float], factor: [Float]) {
        (self.shape, self.centre, self.factor) = (shape, centre, factor)
        let deviation = (2 * shape.sharpness / Float(Self.inputs)).squareRoot()
        var random = RandomSource(shape.seed, item: -3)
        weights = (0..<shape.count * Self.inputs).map { _ in random.normal(deviation: deviation) }
        phases = (0..<shape.count).map { _ in random.between(0, 2 * .pi) }
    }

    /// The features of a window's statistics.
    func features(of statistics: [Float]) -> [Float] {
        let inputs = Self.inputs
        let row = (0..<inputs).map { max(-Self.clip, min(Self.clip, (statistics[$0] - centre[$0]) * factor[$0])) }
        return (0..<shape.count).map { feature in
            var sum = phases[feature]
            for index in 0..<inputs { sum += weights[feature * inputs + index] * row[index] }
            return Float(2).squareRoot() * cos(sum)
        }
    }

    /// Median, standard deviation, 10th and 90th percentile, and mean absolute change of each channel; statistic after
    /// statistic.
    static func statistics(of series: SeriesWindow) -> [Float] {
        let (channels, length) = (series.channels, series.length)
        var result = [Float](repeating: 0, count: channels * FeatureBank.statistics)
        for channel in 0..<channels {
            let values = series.values[channel * length..<(channel + 1) * length]
            let sorted = values.sorted()
            let mean = values.reduce(0, +) / Float(length)
            let spread = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(length)
            let change = zip(values.dropFirst(), values).reduce(0) { $0 + abs($1.0 - $1.1) }
            let all = [
                sorted[length / 2], spread.squareRoot(), sorted[length / 10], sorted[length - 1 - length / 10],
                change / Float(max(1, length - 1)),
            ]
            for (number, value) in all.enumerated() { result[number * channels + channel] = value }
        }
        return result
    }
}

extension PostureBank: Codable {
    private enum Key: String, CodingKey {
        case shape, centre, factor
    }

    /// Reads the scale and draws the weights again from their seed.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let shape = try values.decode(Shape.self, forKey: .shape)
        let centre = try values.decode([Float].self, forKey: .centre)
        let factor = try values.decode([Float].self, forKey: .factor)
        guard (1...10_000).contains(shape.count), (0...1000).contains(shape.sharpness),
            centre.count == Self.inputs, factor.count == Self.inputs, (centre + factor).allSatisfy(\.isFinite)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .shape, in: values, debugDescription: "the sizes of a posture bank do not fit together")
        }
        self.init(shape, centre: centre, factor: factor)
    }

    /// Writes the scale and the seed.
    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(shape, forKey: .shape)
        try values.encode(centre, forKey: .centre)
        try values.encode(factor, forKey: .factor)
    }
}

/// The part of an action classifier that judges by posture.
struct PosturePart: Sendable, Hashable, Codable {
    var bank: PostureBank
    var ridge: RidgeClassifier
    /// The share of the score that posture has, above 0 and at most 1; the rest is movement's.
    var share: Float

    /// A score for each class.
    func scores(_ window: MotionWindow, missing: [SIMD2<Float>]) -> [Float] {
        let statistics = PostureBank.statistics(of: PostureSeries.series(of: window, missing: missing))
        return ridge.scores(standardised: ridge.standardised(bank.features(of: statistics)))
    }

    func isSound(classes: Int) -> Bool {
        ridge.isSound(features: bank.shape.count, classes: classes) && share > 0 && share <= 1
    }
}
