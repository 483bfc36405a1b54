import Dispatch
import KinemaCore

/// Extracts features from a window of time series: random convolutions, each pooled in four ways, and statistics of
/// each channel.
///
/// The poolings are those of MultiRocket (Tan, Dempster, Bergmeir, Webb, 2022): the share of values above the bias,
/// their mean height above it, their mean position in time and the longest run of them.
struct FeatureBank: Sendable, Hashable, Codable {
    /// The number of features per convolution.
    static let poolings = 4
    /// The number of features per channel: median, standard deviation, 10th and 90th percentile, and mean absolute
    /// change.
    static let statistics = 5

    let channels: Int
    let length: Int
    var units: [ConvolutionUnit]

    /// The number of features.
    var count: Int { units.count * Self.poolings + channels * Self.statistics }

    init(units: Int, channels: Int, length: Int, seed: Int) {
        self.channels = channels
        self.length = length
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
            var values = samples.flatMap { bank.convolution(unit, of: $0) }
            values.sort()
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

/// One random convolution: a signed mix of channels and a dilated kernel.
///
/// A kernel has nine weights, three of 2 and six of -1, so that they sum to zero (Dempster, Schmidt, Webb: MiniRocket,
/// KDD 2021). Channels are mixed with random signs, which also captures opposite movements.
struct ConvolutionUnit: Sendable, Hashable, Codable {
    /// A channel with its sign, 1 or -1.
    struct Part: Sendable, Hashable, Codable {
        let index: Int
        let sign: Float
    }

    /// The number of taps of a kernel.
    static let taps = 9

    /// Whether it applies to the differences from frame to frame instead of the values.
    let isOfDifferences: Bool
    /// The distance between two taps, in frames.
    let dilation: Int
    /// The indices of the three weights of 2.
    let heavy: [Int]
    /// The channels with their signs.
    let channels: [Part]
    /// The threshold for pooling.
    var bias: Float = 0

    /// The maximum number of mixed channels: with more, the movement of one limb is lost among the rest.
    private static let maximumChannels = 4

    /// Makes random units for windows of a shape; the same seed gives the same units.
    static func random(_ count: Int, channels: Int, length: Int, seed: Int) -> [ConvolutionUnit] {
        let dilations = dilations(length)
        return (0..<count).map { index in
            var random = RandomSource(seed, item: index)
            let mixed = random.choice(1 + random.index(below: maximumChannels), of: channels)
            return ConvolutionUnit(
                isOfDifferences: index % 2 == 1, dilation: dilations[(index / 2) % dilations.count],
                heavy: random.choice(3, of: taps).sorted(),
                channels: mixed.map { Part(index: $0, sign: random.chance(0.5) ? 1 : -1) })
        }
    }

    /// 1, 2, 4 … and the largest that fits the window.
    private static func dilations(_ length: Int) -> [Int] {
        let widest = max(1, (length - 1) / (taps - 1))
        var dilations: [Int] = []
        var next = 1
        while next < widest {
            dilations.append(next)
            next *= 2
        }
        return dilations + [widest]
    }
}

/// Time series of several channels, the input of feature extraction.
struct SeriesWindow: Sendable {
    let channels: Int
    let length: Int
    /// The values, channel after channel.
    var values: [Float]
}

extension MotionWindow {
    /// The joint positions and the distances between linked joints; `missing` replaces joints that were not seen.
    func series(missing: [SIMD2<Float>]) -> SeriesWindow {
        let count = subject.joints.count
        let links = subject.links
        let channels = 2 * count + links.count
        var values = [Float](repeating: 0, count: channels * length)
        var complete = self
        for joint in 0..<count where !isSeen(joint) {
            for frame in 0..<length { complete[frame, joint] = missing[joint] }
        }
        for frame in 0..<length {
            for joint in 0..<count {
                let position = complete[frame, joint]
                values[2 * joint * length + frame] = position.x
                values[(2 * joint + 1) * length + frame] = position.y
            }
            for (index, link) in links.enumerated() {
                let displacement = complete[frame, link.0] - complete[frame, link.1]
                values[(2 * count + index) * length + frame] = (displacement * displacement).sum().squareRoot()
            }
        }
        return SeriesWindow(channels: channels, length: length, values: values)
    }

    /// The mean position of each joint over the windows that saw it; replaces joints that were not seen.
    static func meanPositions(in windows: [MotionWindow], of subject: ActionSubject) -> [SIMD2<Float>] {
        (0..<subject.joints.count).map { joint in
            var (sum, count) = (SIMD2<Double>.zero, 0.0)
            for window in windows where window.isSeen(joint) {
                for frame in 0..<window.length {
                    sum += SIMD2(Double(window[frame, joint].x), Double(window[frame, joint].y))
                    count += 1
                }
            }
            return count > 0 ? SIMD2(Float(sum.x / count), Float(sum.y / count)) : .zero
        }
    }
}
