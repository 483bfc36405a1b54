import KinemaCore

extension RandomSource {
    /// A generator for one of many items, so that results do not depend on the order of the work.
    init(_ seed: Int, item: Int) {
        var first = RandomSource(seed: UInt64(bitPattern: Int64(seed)))
        self.init(seed: first.next() ^ (UInt64(bitPattern: Int64(item)) &* 0xD134_2543_DE82_EF95))
    }

    mutating func unit() -> Float { Float(next() >> 40) * 0x1p-24 }

    mutating func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * unit() }

    mutating func index(below count: Int) -> Int { Int((next() >> 33) % UInt64(max(count, 1))) }

    mutating func chance(_ probability: Float) -> Bool { unit() < probability }

    /// An approximately normal number: the sum of twelve uniform ones.
    mutating func normal(deviation: Float) -> Float {
        var sum: Float = -6
        for _ in 0..<12 { sum += unit() }
        return sum * deviation
    }

    /// Chooses some of the integers below a count, each at most once.
    mutating func choice(_ wanted: Int, of count: Int) -> [Int] {
        var all = Array(0..<count)
        for position in 0..<min(wanted, count) { all.swapAt(position, position + index(below: count - position)) }
        return Array(all.prefix(wanted))
    }
}
