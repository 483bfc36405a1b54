import Dispatch
import KinemaCore

/// Extracts features from time series: statistics of each channel, and random convolutions with MultiRocket's poolings
/// (Tan, Dempster, Bergmeir, Webb, 2022): the share of values above the bias, their mean height above it, their mean
/// position in time and the longest run of them.
struct FeatureBank: Sendable, Hashable, Codable {
    /// The number of features per convolution.
    static let poolings = 4
    /// The number of features per channel: median, standard deviation, 10th and 90th percentile, mean absolute change.
    static let statistics = 5

    let channels: Int
    let length: Int
    var units: [ConvolutionUnit]

    var count: Int { units.count * Self.poolings + channels * Self.statistics }

    init(units: Int, channels: Int, length: Int, seed: Int) {
        (self.channels, self.length) = (channels, length)
        self.units = ConvolutionUnit.random(units, channels: channels, length: length, seed: seed)
    }

    /// The number of windows that biases are fitted to.
    private static let biasSamples = 24
    /// The fractional part of the golden ratio: its multiples spread evenly over 0...1, however many there are.
    private static let golden: Float = 0.618_034

    /// Sets each unit's bias to a quantile of its output over some of the windows; the quantiles are spread evenly.
    mutating func fitBiases(_ windows: [SeriesWindow], seed: Int) {
        var random = RandomSource(seed, item: -1)
        let samples = random.choice(Self.biasSamples, of: windows.count).map { windows[$0] }
        guard !samples.isEmpty else { return }
        let bank = self
        let biases = parallel(units.count) { unit -> Float in
            let values = samples.flatMap { bank.convolution(unit, of: $0) }.sorted()
            let quantile = (Float(unit + 1) * Self.golden).truncatingRemainder(dividingBy: 1)
            return values[min(values.count - 1, Int(quantile * Float(values.count)))]
        }
        for (unit, bias) in biases.enumerated() { units[unit].bias = bias }
    }

    /// The features of all windows, one row per window; runs on all cores.
    func features(of windows: [SeriesWindow]) -> [[Float]] {
        parallel(windows.count) { features(of: windows[$0]) }
    }
}
