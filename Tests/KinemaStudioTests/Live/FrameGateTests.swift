import Foundation
import Testing

@testable import KinemaStudio

struct FrameGateTests {
    private func frame(_ sequence: UInt32, _ time: Double) -> FrameMessage {
        FrameMessage(sequence: sequence, time: time, width: 0, height: 0, picture: .jpeg(Data([0])))
    }

    @Test func timeCountsFromTheFirstFrame() {
        var gate = FrameGate(framesPerSecond: 60)
        let now = ContinuousClock.now
        #expect(gate.judge(frame(1, 5000), at: now) == .pass(0..<33_333))
        #expect(gate.judge(frame(7, 5000.04), at: now) == .pass(40_000..<80_000))
    }

    @Test(arguments: [(1, 11), (2, 10), (2, 9), (1, 10)] as [(UInt32, Double)])
    func whatDoesNotRiseIsRefused(_ sequence: UInt32, _ time: Double) {
        var gate = FrameGate(framesPerSecond: 60)
        _ = gate.judge(frame(1, 10), at: .now)
        guard case .refused(let problem) = gate.judge(frame(sequence, time), at: .now) else {
            Issue.record("let in")
            return
        }
        #expect(problem.code == .wrongOrder && problem.sequence == sequence)
    }

    @Test func aClockGoneWrongIsRefused() {
        var gate = FrameGate(framesPerSecond: 60)
        _ = gate.judge(frame(1, -1e300), at: .now)
        guard case .refused = gate.judge(frame(2, 1e300), at: .now) else {
            Issue.record("let in")
            return
        }
    }

    @Test func asManyAsTheLimitPassEachSecond() {
        var gate = FrameGate(framesPerSecond: 30)
        let begin = ContinuousClock.now
        var passed = 0
        // Sixty a second for ten seconds.
        for index in 0..<600 {
            let verdict = gate.judge(frame(UInt32(index), Double(index)), at: begin + .seconds(Double(index) / 60))
            if case .pass = verdict { passed += 1 }
        }
        #expect((300...331).contains(passed))
    }
}
