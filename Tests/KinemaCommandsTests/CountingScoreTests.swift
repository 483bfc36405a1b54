@testable import KinemaStudioCommands
@testable import KinemaCommands
import Testing

struct CountingScoreTests {
    private var score: CountingScore {
        var score = CountingScore()
        score.add(.init(count: 12, repetitions: 12, range: 12...13))
        score.add(.init(count: 5, repetitions: 4, range: 4...4))
        score.add(.init(count: 2, repetitions: 6, range: 5...7))
        score.add(.init(count: 2, repetitions: 0, range: 0...0))
        return score
    }

    @Test func `the nearest value of the range is the truth`() {
        #expect(CountingScore.Clip(count: 13, repetitions: 12, range: 12...13).error == 0)
        #expect(CountingScore.Clip(count: 15, repetitions: 12, range: 12...13).error == 2)
        #expect(CountingScore.Clip(count: 2, repetitions: 6, range: 5...7).relativeError == 0.5)
    }

    @Test func `the three measures follow their definitions`() {
        #expect(score.meanAbsoluteError == (0 + 0.25 + 0.5 + 2) / 4)
        #expect(score.offByOne == 0.5)
        #expect(score.exact == 0.25)
        #expect(CountingScore().exact == 0)
    }

    @Test func `the interval holds the value and is the same in every run`() {
        let estimate = score.estimate(\.offByOne)
        #expect(estimate.value == 0.5)
        #expect(estimate.interval == 0...1)
        #expect(score.estimate(\.meanAbsoluteError) == score.estimate(\.meanAbsoluteError))
        var sure = CountingScore()
        for _ in 0..<5 { sure.add(.init(count: 3, repetitions: 3, range: 3...3)) }
        #expect(sure.estimate(\.exact).interval == 1...1)
    }
}
