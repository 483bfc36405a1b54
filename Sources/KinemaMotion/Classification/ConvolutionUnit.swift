import Dispatch
import KinemaCore

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
