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

/// One random convolution: a signed mix of channels and a dilated kernel.
///
/// A kernel has nine weights, three of 2 and six of -1, so that they sum to zero (Dempster, Schmidt, Webb: MiniRocket,
/// KDD 2021). Channels are mixed with random signs, which also captures opposite movements.
struct ConvolutionUnit: Sendable, Hashable, Codable {
    struct Part: Sendable, Hashable, Codable {
        let index: Int
        let sign: Float
    }

    static let taps = 9

    /// Whether it applies to the differences from frame to frame instead of the values.
    let isOfDifferences: Bool
    let dilation: Int
    /// The indices of the three weights of 2.
    let heavy: [Int]
    let channels: [Part]
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

    /// Powers of two and the largest dilation that fits the window.
    private static func dilations(_ length: Int) -> [Int] {
        let widest = max(1, (length - 1) / (taps - 1))
        return sequence(first: 1) { $0 * 2 }.prefix { $0 < widest } + [widest]
    }
}

extension FeatureBank {
    func convolution(_ unit: Int, of window: SeriesWindow) -> [Float] {
        guard let work = Workspace(self, window) else { return [Float](repeating: 0, count: length) }
        work.convolve(units[unit])
        return withExtendedLifetime(work) { (0..<length).map { work.output[$0] } }
    }

    /// The features of a window; empty if the window has another shape.
    func features(of window: SeriesWindow) -> [Float] {
        guard let work = Workspace(self, window) else { return [] }
        return [Float](unsafeUninitializedCapacity: count) { buffer, filled in
            // SAFETY: the buffer has room for `count` features: four per unit and five per channel.
            guard let target = buffer.baseAddress else { return }
            for (index, unit) in units.enumerated() {
                work.convolve(unit)
                work.pool(bias: unit.bias, into: target + index * Self.poolings)
            }
            for channel in 0..<channels {
                work.statistics(of: channel, into: target + units.count * Self.poolings + channel * Self.statistics)
            }
            filled = count
        }
    }
}

private final class Workspace {
    private let channels: Int
    private let length: Int
    /// `length` rounded up to whole SIMD vectors.
    private let padded: Int
    /// The values followed by their differences, each channel padded with zeros.
    private let series: UnsafeMutablePointer<Float>
    /// The mixed channels, with the end values repeated so that every tap is in bounds.
    private let mixed: UnsafeMutablePointer<Float>
    /// The output of a convolution; the padding is minus infinity, so that it never exceeds a bias.
    let output: UnsafeMutablePointer<Float>

    /// Loads a window; nil if it has another shape.
    // SAFETY: indices run over channels x length, and the guard checks that the window has this count.
    init?(_ bank: FeatureBank, _ window: SeriesWindow) {
        guard window.values.count == bank.channels * bank.length, bank.length > 0 else { return nil }
        (channels, length, padded) = (bank.channels, bank.length, (bank.length + 3) / 4 * 4)
        let reach = (bank.units.map(\.dilation).max() ?? 1) * (ConvolutionUnit.taps / 2)
        let (count, widest) = (2 * channels * padded, padded + 2 * reach + 4)
        series = .allocate(capacity: count)
        mixed = .allocate(capacity: widest)
        output = .allocate(capacity: padded)
        series.initialize(repeating: 0, count: count)
        mixed.initialize(repeating: 0, count: widest)
        output.initialize(repeating: -.infinity, count: padded)
        for channel in 0..<channels {
            let target = series + channel * padded
            let difference = series + (channels + channel) * padded
            for frame in 0..<length { target[frame] = window.values[channel * length + frame] }
            for frame in 0..<length - 1 { difference[frame] = target[frame + 1] - target[frame] }
            // There is no difference after the last frame, so the last one is repeated.
            difference[length - 1] = length > 1 ? difference[length - 2] : 0
        }
    }

    deinit {
        series.deallocate()
        mixed.deallocate()
        output.deallocate()
    }

    // SAFETY: taps reach `dilation * 4`, at most the bank's reach, to either side of `padded` values; `mixed` has room for both.
    func convolve(_ unit: ConvolutionUnit) {
        let offset = unit.dilation * (ConvolutionUnit.taps / 2)
        let middle = mixed + offset
        mix(unit, into: middle)
        let (first, last) = (middle[0], middle[length - 1])
        for index in 0..<offset { mixed[index] = first }
        for index in length..<padded + offset { middle[index] = last }
        let source = UnsafeRawPointer(mixed)
        let target = UnsafeMutableRawPointer(output)
        let step = unit.dilation * 4
        let (heavy0, heavy1, heavy2) = (unit.heavy[0] * step, unit.heavy[1] * step, unit.heavy[2] * step)
        for start in stride(from: 0, to: padded * 4, by: 16) {
            let position = source + start
            @inline(__always) func at(_ offset: Int) -> SIMD4<Float> {
                position.loadUnaligned(fromByteOffset: offset, as: SIMD4<Float>.self)
            }
            let even = at(0) + at(step) + (at(2 * step) + at(3 * step)) + at(4 * step)
            let odd = at(5 * step) + at(6 * step) + (at(7 * step) + at(8 * step))
            let heavy = at(heavy0) + at(heavy1) + at(heavy2)
            target.storeBytes(of: heavy * 3 - (even + odd), toByteOffset: start, as: SIMD4<Float>.self)
        }
        for index in length..<padded { output[index] = -.infinity }
    }

    // SAFETY: the unit's channels are below the bank's count, and every channel has `padded` values.
    private func mix(_ unit: ConvolutionUnit, into target: UnsafeMutablePointer<Float>) {
        let base = unit.isOfDifferences ? series + channels * padded : series
        let to = UnsafeMutableRawPointer(target)
        for (number, channel) in unit.channels.enumerated() {
            let from = UnsafeRawPointer(base + channel.index * padded)
            for start in stride(from: 0, to: padded * 4, by: 16) {
                let value = from.loadUnaligned(fromByteOffset: start, as: SIMD4<Float>.self) * channel.sign
                let before = number == 0 ? .zero : to.loadUnaligned(fromByteOffset: start, as: SIMD4<Float>.self)
                to.storeBytes(of: before + value, toByteOffset: start, as: SIMD4<Float>.self)
            }
        }
    }

    /// Pools the current convolution by `poolings` statistics.
    // SAFETY: reads `padded` values of the output; `target` has room for four values.
    func pool(bias: Float, into target: UnsafeMutablePointer<Float>) {
        let source = UnsafeRawPointer(output)
        var (number, height, position) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
        var index = SIMD4<Float>(0, 1, 2, 3)
        for start in stride(from: 0, to: padded * 4, by: 16) {
            let above = source.loadUnaligned(fromByteOffset: start, as: SIMD4<Float>.self) - bias
            let mask = above .> .zero
            number += SIMD4<Float>(repeating: 0).replacing(with: 1, where: mask)
            height += SIMD4<Float>(repeating: 0).replacing(with: above, where: mask)
            position += SIMD4<Float>(repeating: 0).replacing(with: index, where: mask)
            index += 4
        }
        var (run, longest): (Float, Float) = (0, 0)
        for frame in 0..<length {
            run = output[frame] > bias ? run + 1 : 0
            longest = max(longest, run)
        }
        let (count, whole) = (number.sum(), Float(length))
        target[0] = count / whole
        target[1] = count > 0 ? height.sum() / count : 0
        target[2] = count > 0 ? position.sum() / (count * whole) : -1 / whole
        target[3] = longest / whole
    }

    // SAFETY: `channel` is below the bank's count; `target` has room for five values.
    func statistics(of channel: Int, into target: UnsafeMutablePointer<Float>) {
        let (values, changes) = (series + channel * padded, series + (channels + channel) * padded)
        var (sum, change) = (Float(0), Float(0))
        for frame in 0..<length {
            sum += values[frame]
            change += abs(changes[frame])
        }
        let mean = sum / Float(length)
        var spread: Float = 0
        for frame in 0..<length { spread += (values[frame] - mean) * (values[frame] - mean) }
        let sorted = UnsafeBufferPointer(start: values, count: length).sorted()
        target[0] = sorted[length / 2]
        target[1] = (spread / Float(length)).squareRoot()
        target[2] = sorted[length / 10]
        target[3] = sorted[length - 1 - length / 10]
        target[4] = change / Float(length)
    }
}
