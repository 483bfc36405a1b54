import KinemaDraw
import Testing

@testable import Kinema

struct SignalRecorderTests {
    /// What was reported before the end may be more than the whole recording shows.
    @Test func `a chart has the repetitions of the result`() {
        var recorder = SignalRecorder(.everything)
        let reported = [0.0...1, 1...2, 1.2...2.1]
        for index in 0..<90 { recorder.add(0.5, of: 1, number: 1, repetitions: reported, at: Double(index) / 30) }
        #expect(recorder.everyone.map(\.repetitions) == [reported])
        recorder.finish(1, repetitions: [0.1...1, 1...2])
        #expect(recorder.everyone.map(\.repetitions) == [[0.1...1, 1...2]])
    }
}
