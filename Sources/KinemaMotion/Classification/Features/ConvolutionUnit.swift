/// One random convolution: which channels, added or taken away, go through which dilated pattern.
///
/// A pattern has nine weights, three of 2 and six of -1, so that they sum to nothing (Dempster, Schmidt, Webb: MiniRocket,
/// KDD 2021); channels are mixed with random signs, so that also what moves against each other is found.
struct ConvolutionUnit: Sendable, Hashable, Codable {
    /// A channel that is added (1) or taken away (-1).
    struct Part: Sendable, Hashable, Codable {
        let index: Int
        let sign: Float
    }

    /// Taps of a pattern.
    static let taps = 9

    /// Whether it looks at the differences from frame to frame rather than at the values.
    let isOfDifferences: Bool
    /// Frames between two taps.
    let dilation: Int
    /// Which three of the nine weights are 2.
    let heavy: [Int]
    /// The channels mixed and the sign of each.
    let channels: [Part]
    /// What the convolution is compared with.
    var bias: Float = 0

    /// The most channels that are mixed: with more, what one limb does drowns in the rest.
    private static let mostChannels = 4

    /// Random units for windows of a shape; the same for the same seed.
    static func random(_ count: Int, channels: Int, length: Int, seed: Int) -> [ConvolutionUnit] {
        let dilations = dilations(length)
        return (0..<count).map { index in
            var random = SeededSource(seed, item: index)
            let mixed = random.choice(1 + random.index(below: mostChannels), of: channels)
            return ConvolutionUnit(
                isOfDifferences: index % 2 == 1, dilation: dilations[(index / 2) % dilations.count],
                heavy: random.choice(3, of: taps).sorted(),
                channels: mixed.map { Part(index: $0, sign: random.chance(0.5) ? 1 : -1) })
        }
    }

    /// 1, 2, 4 … and the widest that fits the window.
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
