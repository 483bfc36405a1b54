import Foundation
import KinemaCore
import Testing

struct OneEuroFilterTests {
    @Test func `the first values follow the published formula`() {
        var filter = OneEuroFilter(minimumCutoff: 1, beta: 0.5, derivativeCutoff: 1)
        #expect(filter.filter(2, at: 0) == 2)
        // At 10 Hz the speed's weight is 1 / (1 + 10 / 2π) = 0.38587; speed 3.8587, cutoff 2.92935 Hz, weight 0.64797.
        #expect(abs(filter.filter(3, at: 0.1) - 2.64797) < 1e-4)
    }

    @Test func `a resting value is smoothed and a fast one followed`() {
        var filter = OneEuroFilter(minimumCutoff: 0.05, beta: 80)
        var spread = 0.0
        for frame in 0..<90 {
            let noisy = frame.isMultiple(of: 2) ? 0.0002 : -0.0002
            let smooth = filter.filter(noisy, at: Double(frame) / 30)
            if frame > 30 { spread = max(spread, abs(smooth)) }
        }
        #expect(spread < 0.00008)
        var lag = 0.0
        for frame in 90..<120 {
            let value = Double(frame - 90) / 30
            lag = value - filter.filter(value, at: Double(frame) / 30)
        }
        #expect(lag < 0.003)
    }

    @Test func `the frame rate hardly matters because time comes with each value`() {
        var slow = OneEuroFilter(minimumCutoff: 1, beta: 0)
        var fast = OneEuroFilter(minimumCutoff: 1, beta: 0)
        var (atSlow, atFast) = (slow.filter(0, at: 0), fast.filter(0, at: 0))
        for frame in 1...15 { atSlow = slow.filter(1, at: Double(frame) / 30) }
        for frame in 1...60 { atFast = fast.filter(1, at: Double(frame) / 120) }
        #expect(abs(atSlow - atFast) < 0.02)
    }

    @Test func `a repeated time changes nothing`() {
        var filter = OneEuroFilter(minimumCutoff: 1, beta: 0)
        _ = filter.filter(0, at: 0)
        #expect(filter.filter(5, at: 0) == 5)
        #expect(filter.filter(0, at: 1) == 0)
        filter.reset()
        #expect(filter.filter(7, at: 0.5) == 7)
    }
}
