/// Random numbers that are the same for the same seed on every machine and in every version: SplitMix64.
///
/// Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014.
struct SeededSource: Sendable {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    /// A source for one of many items, so that items do not depend on the order of the work.
    init(_ seed: Int, item: Int) {
        var first = SeededSource(UInt64(bitPattern: Int64(seed)))
        self.init(first.next() ^ (UInt64(bitPattern: Int64(item)) &* 0xD134_2543_DE82_EF95))
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// 0 up to but without 1.
    mutating func unit() -> Float {
        Float(next() >> 40) * 0x1p-24
    }

    /// Between two numbers.
    mutating func between(_ low: Float, _ high: Float) -> Float {
        low + (high - low) * unit()
    }

    /// A whole number from 0 up to but without the count.
    mutating func index(below count: Int) -> Int {
        Int((next() >> 33) % UInt64(max(count, 1)))
    }

    /// True with a probability.
    mutating func chance(_ probability: Float) -> Bool {
        unit() < probability
    }

    /// Roughly a normal number: the sum of twelve uniform ones.
    mutating func normal(deviation: Float) -> Float {
        var sum: Float = -6
        for _ in 0..<12 { sum += unit() }
        return sum * deviation
    }

    /// Some of the numbers below a count, each at most once.
    mutating func choice(_ wanted: Int, of count: Int) -> [Int] {
        var all = Array(0..<count)
        for place in 0..<min(wanted, count) { all.swapAt(place, place + index(below: count - place)) }
        return Array(all.prefix(wanted))
    }
}
