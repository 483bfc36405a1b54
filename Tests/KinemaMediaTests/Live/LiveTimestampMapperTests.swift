import Testing

@testable import KinemaMedia

/// The time ranges of frames, from tables of timestamps and arrival times, both in ticks of 1/90000 s.
@Suite struct LiveTimestampMapperTests {
    /// Thirty frames a second.
    let step = 3000
    let second = LiveTimestampMapper.timescale

    private func rangeStarts(_ mapper: inout LiveTimestampMapper, _ frames: [(timestamp: Int?, arrived: Int)]) -> [Int]
    {
        frames.map { mapper.range(timestamp: $0.timestamp, arrived: $0.arrived).lowerBound }
    }

    @Test
    func `The source's own timestamps count, from the first frame, however unevenly the network brings them`() {
        var mapper = LiveTimestampMapper(usesTimestamps: true, nominalRate: 30)
        let late = [0, 9000, 9100, 9200, 12000, 15500]
        let starts = rangeStarts(&mapper, late.enumerated().map { (777 + $0 * step, $1) })
        #expect(starts == [0, 3000, 6000, 9000, 12000, 15000])
        #expect(mapper.jumps == 0)
    }

    @Test
    func `Each frame lasts until the next is expected`() {
        var mapper = LiveTimestampMapper(usesTimestamps: true, nominalRate: 30)
        #expect(mapper.range(timestamp: 0, arrived: 0) == 0..<3000)
        #expect(mapper.range(timestamp: 6000, arrived: 6000) == 6000..<12000)
    }

    @Test
    func `Without timestamps the moment of arrival counts, and two at once still follow each other`() {
        var mapper = LiveTimestampMapper(usesTimestamps: false, nominalRate: nil)
        #expect(rangeStarts(&mapper, [(5, 0), (6, 2900), (7, 2900), (8, 9000)]) == [0, 2900, 2901, 9000])
        #expect(mapper.due(9) == nil)
    }

    @Test
    func `After a reconnection the machine's clock counts, whatever the new timestamps say`() {
        for fresh in [0, 5, 1 << 40] {
            var mapper = LiveTimestampMapper(usesTimestamps: true, nominalRate: 30)
            _ = rangeStarts(&mapper, [(90_000, 0), (93_000, 3000)])
            mapper.reconnect()
            // Away for four seconds.
            let gap = 4 * second
            let starts = rangeStarts(&mapper, [(fresh, gap), (fresh + step, gap + 10), (fresh + 2 * step, gap + 9000)])
            #expect(starts == [gap, gap + step, gap + 2 * step])
            #expect(mapper.jumps == 0)
        }
    }

    @Test
    func `Time increases strictly through clocks set back, set forward and stopped`() {
        var mapper = LiveTimestampMapper(usesTimestamps: true, nominalRate: 30)
        let timestamps: [Int?] = [0, 3000, 6000, 6000, -900_000, -897_000, 1 << 50, (1 << 50) + 3000, nil, 7]
        let starts = rangeStarts(&mapper, timestamps.enumerated().map { ($1, $0 * step) })
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }, "\(starts)")
        #expect(starts.enumerated().allSatisfy { abs($1 - $0 * step) <= 2 * step }, "\(starts)")
        #expect(mapper.jumps == 4)
    }

    @Test
    func `A source whose quartz is a third of a thousandth fast stays within half a second of the machine's clock`() {
        var mapper = LiveTimestampMapper(usesTimestamps: true, nominalRate: 30)
        var worst = 0
        var last = -1
        for index in 0..<200_000 {
            let start = mapper.range(timestamp: index * 3001, arrived: index * step).lowerBound
            #expect(start > last)
            last = start
            worst = max(worst, abs(start - index * step))
        }
        #expect(worst < second / 2, "\(worst)")
        #expect(mapper.jumps == 0)
    }
}
