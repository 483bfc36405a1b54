import Testing

@testable import KinemaMedia

/// Where frames stand in time, told as tables of stamps and of moments of arrival, both in ticks of 1/90000 s.
@Suite struct LiveTimelineTests {
    /// Thirty frames a second.
    let step = 3000
    let second = LiveTimeline.timescale

    private func places(_ timeline: inout LiveTimeline, _ frames: [(stamp: Int?, arrived: Int)]) -> [Int] {
        frames.map { timeline.place(stamp: $0.stamp, arrived: $0.arrived).lowerBound }
    }

    @Test("The source's own stamps count, from the first frame, however unevenly the network brings them")
    func stamps() {
        var timeline = LiveTimeline(followsStamps: true, nominalRate: 30)
        let late = [0, 9000, 9100, 9200, 12000, 15500]
        let starts = places(&timeline, late.enumerated().map { (777 + $0 * step, $1) })
        #expect(starts == [0, 3000, 6000, 9000, 12000, 15000])
        #expect(timeline.jumps == 0)
    }

    @Test("Each frame lasts until the next is expected")
    func ranges() {
        var timeline = LiveTimeline(followsStamps: true, nominalRate: 30)
        #expect(timeline.place(stamp: 0, arrived: 0) == 0..<3000)
        #expect(timeline.place(stamp: 6000, arrived: 6000) == 6000..<12000)
    }

    @Test("Without stamps the moment of arrival counts, and two at once still follow each other")
    func arrivals() {
        var timeline = LiveTimeline(followsStamps: false, nominalRate: nil)
        #expect(places(&timeline, [(5, 0), (6, 2900), (7, 2900), (8, 9000)]) == [0, 2900, 2901, 9000])
        #expect(timeline.due(9) == nil)
    }

    @Test("After a reconnection time goes on by the machine's clock, whatever the new stamps say")
    func reconnection() {
        for fresh in [0, 5, 1 << 40] {
            var timeline = LiveTimeline(followsStamps: true, nominalRate: 30)
            _ = places(&timeline, [(90_000, 0), (93_000, 3000)])
            timeline.reconnect()
            // Away for four seconds.
            let gap = 4 * second
            let starts = places(&timeline, [(fresh, gap), (fresh + step, gap + 10), (fresh + 2 * step, gap + 9000)])
            #expect(starts == [gap, gap + step, gap + 2 * step])
            #expect(timeline.jumps == 0)
        }
    }

    @Test("Time increases strictly through clocks set back, set forward and stopped")
    func jumps() {
        var timeline = LiveTimeline(followsStamps: true, nominalRate: 30)
        let stamps: [Int?] = [0, 3000, 6000, 6000, -900_000, -897_000, 1 << 50, (1 << 50) + 3000, nil, 7]
        let starts = places(&timeline, stamps.enumerated().map { ($1, $0 * step) })
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }, "\(starts)")
        #expect(starts.enumerated().allSatisfy { abs($1 - $0 * step) <= 2 * step }, "\(starts)")
        #expect(timeline.jumps == 4)
    }

    @Test("A source whose quartz is a third of a thousandth fast stays within half a second of the machine's clock")
    func drift() {
        var timeline = LiveTimeline(followsStamps: true, nominalRate: 30)
        var worst = 0
        var last = -1
        for index in 0..<200_000 {
            let start = timeline.place(stamp: index * 3001, arrived: index * step).lowerBound
            #expect(start > last)
            last = start
            worst = max(worst, abs(start - index * step))
        }
        #expect(worst < second / 2, "\(worst)")
        #expect(timeline.jumps == 0)
    }
}
