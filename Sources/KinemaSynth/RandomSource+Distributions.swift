package import KinemaCore

extension RandomSource {
    package mutating func number(in range: ClosedRange<Double>) -> Double {
        let unit = Double(next() >> 11) / 9_007_199_254_740_992  // 2^53
        return range.lowerBound + unit * (range.upperBound - range.lowerBound)
    }

    package mutating func integer(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    package mutating func chance(_ probability: Double) -> Bool { number(in: 0...1) < probability }

    package mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[integer(in: 0...choices.count - 1)] }

    /// An approximately normal number with mean 0 and standard deviation 1: the sum of twelve uniform ones (at most 6).
    package mutating func normal() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += number(in: 0...1) }
        return sum
    }
}
