import Testing

@testable import KinemaMedia

/// Stamps in, starts out; a dot is a missing stamp. The nominal frame is 10 ticks.
@Suite struct TimestampRepairTests {
    static let table: [(stamps: String, starts: String, repairs: [TimestampRepair<Int>.Kind: Int])] = [
        ("0 10 20 30", "0 10 20 30", [:]),
        ("700 710 790 791", "0 10 90 91", [:]),
        ("-20 -10 0", "0 10 20", [:]),
        ("", "", [:]),
        ("5", "0", [:]),
        (". . . .", "0 10 20 30", [.missing: 4]),
        (". . 100 110", "0 10 20 30", [.missing: 2]),
        ("0 . 20 30", "0 10 20 30", [.missing: 1]),
        ("0 . 4 14", "0 2 4 14", [.missing: 1]),
        ("0 . . 30 40", "0 10 20 30 40", [.missing: 2]),
        ("0 . . 100", "0 10 20 100", [.missing: 2]),
        ("0 0 20 20 40", "0 10 20 30 40", [.equal: 2]),
        ("0 10 5 20 30", "0 10 15 20 30", [.backward: 1]),
        ("1000 1010 0 10 20", "0 10 20 30 40", [.restarted: 1]),
        ("0 10 20 . 9000000000000000000 60 70", "0 10 20 30 40 60 70", [.missing: 2]),
    ]

    @Test(arguments: table.indices)
    func `Good stamps stay, bad ones are placed between their neighbours`(index: Int) {
        let (stamps, starts, repairs) = Self.table[index]
        var repair = TimestampRepair<Int>(nominalStep: 10)
        var placed: [TimestampRepair<Int>.TimedFrame] = []
        for (index, stamp) in stamps.split(separator: " ").enumerated() {
            placed += repair.add(index, timestamp: Int(stamp), duration: nil)
        }
        placed += repair.finish()
        #expect(placed.map(\.range.lowerBound) == starts.split(separator: " ").compactMap { Int($0) })
        #expect(placed.map(\.frame) == Array(0..<placed.count))
        #expect(zip(placed, placed.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
        #expect(repair.repairs == repairs)
    }

    @Test(arguments: 0..<200)
    func `Any stamps at all give increasing ranges without losing a frame`(seed: UInt64) {
        var noise = SystemNoise(seed: seed)
        var repair = TimestampRepair<Int>(nominalStep: [0.01, 1, 3.7, 1e6][Int(seed % 4)])
        var placed: [TimestampRepair<Int>.TimedFrame] = []
        for index in 0..<200 {
            let size = Int(noise.next()) % 63
            let number = (0..<8).reduce(0) { sum, _ in sum << 8 | Int(noise.next()) } >> size
            let stamp = noise.next() < 40 ? nil : number
            placed += repair.add(index, timestamp: stamp, duration: noise.next() < 99 ? number >> 3 : nil)
        }
        placed += repair.finish()
        #expect(placed.map(\.frame) == Array(0..<200))
        #expect(placed.allSatisfy { !$0.range.isEmpty })
        #expect(zip(placed, placed.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound })
    }

    @Test
    func `Fractions of a tick do not add up`() {
        var repair = TimestampRepair<Int>(nominalStep: 1000.0 / 24)
        var placed: [TimestampRepair<Int>.TimedFrame] = []
        for index in 0...240 { placed += repair.add(index, timestamp: nil, duration: nil) }
        placed += repair.finish()
        #expect(placed.last?.range.lowerBound == 10_000)
    }
}
