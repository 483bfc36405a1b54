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
