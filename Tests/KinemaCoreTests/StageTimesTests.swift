import Testing

@testable import KinemaCore

struct StageTimesTests {
    @Test func `the text has the seconds and the share of each stage`() {
        var times = StageTimes()
        times[.decode] = .milliseconds(1500)
        times[.infer] = .seconds(6)
        times[.write] = .milliseconds(500)
        #expect(
            times.text
                == "decode 1.50 s (19 %), sample 0.00 s (0 %), infer 6.00 s (75 %), track 0.00 s (0 %), "
                + "analyse 0.00 s (0 %), write 0.50 s (6 %)")
        #expect(StageTimes().text.contains("decode 0.00 s (0 %)"))
    }

    @Test func `a measurement adds to its stage and returns the value`() {
        let before = StageTimes.now
        let value = StageTimes.measure(.track) {
            StageTimes.add(.milliseconds(20), to: .sample)
            return 7
        }
        #expect(value == 7)
        let difference = StageTimes.now - before
        // Other tests of the process may add to the same stages.
        #expect(difference[.sample] >= .milliseconds(20) && difference[.track] > .zero)
    }

    @Test func `a stage that throws is measured`() {
        let before = StageTimes.now
        #expect(throws: CancellationError.self) {
            try StageTimes.measure(.analyse) { throw CancellationError() }
        }
        #expect((StageTimes.now - before)[.analyse] > .zero)
    }

    @Test func `a measurement costs less than a thousandth of a frame`() {
        let costs = (0..<20).map { _ in
            let start = ContinuousClock.now
            for _ in 0..<500 { StageTimes.measure(.infer) {} }
            return (ContinuousClock.now - start) / 500
        }
        // 15 measurements a frame at 30 frames a second leave 2.2 µs each, in a build without optimisation too. The
        // quickest round counts: in another the process may have waited for a core.
        #expect(costs.min().map { $0 < .microseconds(20) } == true)
    }
}
