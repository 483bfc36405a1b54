/// How well counted repetitions agree with labels, by the measures of the repetition counting literature.
///
/// A label is a range, since a recording may begin or end in mid-repetition; the nearest value of it is the truth.
/// MAE and OBO as in Dwibedi et al., "Counting Out Time", CVPR 2020.
public struct CountingScore: Sendable, Hashable {
    /// One recording's count and label.
    public struct Clip: Sendable, Hashable, Codable {
        /// What was counted.
        public var count: Int
        /// The label.
        public var repetitions: Int
        /// The least and the largest count that is fair.
        public var range: ClosedRange<Int>

        /// Makes a clip from its count, its label and the fair range around it.
        public init(count: Int, repetitions: Int, range: ClosedRange<Int>) {
            self.count = count
            self.repetitions = repetitions
            self.range = range
        }

        /// How far the count is from the nearest fair one.
        public var error: Int {
            abs(count - min(max(count, range.lowerBound), range.upperBound))
        }

        /// The error as a share of the label, or as it is when the label is zero.
        public var relativeError: Double {
            Double(error) / Double(max(repetitions, 1))
        }
    }

    /// A measure's value and the range that holds it with 95 % confidence.
    public struct Estimate: Sendable, Hashable {
        /// The measure over all clips.
        public var value: Double
        /// From the 2.5th to the 97.5th percentile over resampled clips.
        public var interval: ClosedRange<Double>
    }

    /// The clips judged so far.
    public private(set) var clips: [Clip] = []

    /// Makes a score without clips.
    public init() {}

    /// Adds a recording.
    public mutating func add(_ clip: Clip) {
        clips.append(clip)
    }

    /// The mean relative error; 0 without clips.
    public var meanAbsoluteError: Double { Self.mean(clips) { $0.relativeError } }
    /// The share of clips counted to within one (0...1).
    public var offByOne: Double { Self.mean(clips) { $0.error <= 1 ? 1 : 0 } }
    /// The share of clips counted exactly (0...1).
    public var exact: Double { Self.mean(clips) { $0.error == 0 ? 1 : 0 } }

    /// A measure with its bootstrap interval; the same seed gives the same interval.
    public func estimate(
        _ measure: KeyPath<CountingScore, Double>, resamplings: Int = 2000, seed: UInt64 = 1
    ) -> Estimate {
        let value = self[keyPath: measure]
        guard clips.count > 1, resamplings > 0 else { return Estimate(value: value, interval: value...value) }
        var generator = SplitMix(state: seed)
        var values: [Double] = []
        for _ in 0..<resamplings {
            var sample = CountingScore()
            for _ in clips { sample.add(clips[Int.random(in: 0..<clips.count, using: &generator)]) }
            values.append(sample[keyPath: measure])
        }
        values.sort()
        let low = values[Int(0.025 * Double(resamplings - 1))]
        let high = values[Int((0.975 * Double(resamplings - 1)).rounded(.up))]
        return Estimate(value: value, interval: low...high)
    }

    private static func mean(_ clips: [Clip], _ value: (Clip) -> Double) -> Double {
        clips.isEmpty ? 0 : clips.reduce(0) { $0 + value($1) } / Double(clips.count)
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): small, and the same on every machine.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
