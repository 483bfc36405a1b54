import Dispatch
import KinemaCore

/// Turns a window of numbers over time into many features: random convolutions, each pooled in four ways, and plain
/// statistics of each channel.
///
/// The poolings are MultiRocket's (Tan, Dempster, Bergmeir, Webb, 2022): the share of values above the bias, their mean
/// height above it, their mean place in time, the longest stretch of them.
struct FeatureBank: Sendable, Hashable, Codable {
    /// Features of one convolution.
    static let poolings = 4
    /// Features of one channel: median, deviation, tenth and ninetieth percentile, mean change from frame to frame.
    static let statistics = 5

    let channels: Int
    let length: Int
    var units: [ConvolutionUnit]

    /// How many features there are.
    var count: Int { units.count * Self.poolings + channels * Self.statistics }

    init(units: Int, channels: Int, length: Int, seed: Int) {
        self.channels = channels
        self.length = length
        self.units = ConvolutionUnit.random(units, channels: channels, length: length, seed: seed)
    }

    /// How many windows biases are taken from.
    private static let biasSamples = 24
    /// The golden ratio's fraction: its multiples spread evenly over 0...1 however many there are.
    private static let golden: Float = 0.618_034

    /// Takes each unit's bias from what the unit gives for some of the windows, at quantiles spread evenly.
    mutating func chooseBiases(_ windows: [SeriesWindow], seed: Int) {
        var random = SeededSource(seed, item: -1)
        let samples = random.choice(Self.biasSamples, of: windows.count).map { windows[$0] }
        guard !samples.isEmpty else { return }
        let bank = self
        let biases = parallel(units.count) { unit -> Float in
            var values = samples.flatMap { bank.convolution(unit, of: $0) }
            values.sort()
            let quantile = (Float(unit + 1) * Self.golden).truncatingRemainder(dividingBy: 1)
            return values[min(values.count - 1, Int(quantile * Float(values.count)))]
        }
        for (unit, bias) in biases.enumerated() { units[unit].bias = bias }
    }

    /// The features of all windows, one row a window; work is shared between the cores.
    func features(of windows: [SeriesWindow]) -> [[Float]] {
        parallel(windows.count) { features(of: windows[$0]) }
    }
}
