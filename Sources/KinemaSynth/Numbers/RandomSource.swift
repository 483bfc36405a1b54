/// A small seeded generator (SplitMix64, Steele et al. 2014) that gives the same numbers on every machine.
package struct RandomSource: Sendable {
    private var state: UInt64

    /// Starts a sequence that depends on the seed alone.
    package init(seed: UInt64) {
        state = seed
    }

    /// The next 64 random bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// A number spread evenly over a range.
    package mutating func number(in range: ClosedRange<Double>) -> Double {
        let unit = Double(next() >> 11) / 9_007_199_254_740_992  // 2^53
        return range.lowerBound + unit * (range.upperBound - range.lowerBound)
    }

    /// A whole number spread evenly over a range.
    package mutating func integer(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// True with the given probability.
    package mutating func chance(_ probability: Double) -> Bool {
        number(in: 0...1) < probability
    }

    /// One of the choices; the fallback when there is none.
    package mutating func pick<Choice>(_ choices: [Choice], else fallback: Choice) -> Choice {
        choices.isEmpty ? fallback : choices[integer(in: 0...choices.count - 1)]
    }

    /// A number around 0 with standard deviation 1, as the sum of twelve even ones (bounded by 6).
    package mutating func bell() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += number(in: 0...1) }
        return sum
    }
}
