import Foundation
import Testing

@testable import KinemaToss

@Suite("Whether the camera stands still")
struct CameraMotionTests {
    /// The state after some seconds of a camera whose place, in picture heights, is a function of time.
    private func motion(seconds: Double = 2, place: (Double) -> Double) -> CameraMotion {
        var motion = CameraMotion()
        for frame in 0..<Int(seconds * 30) {
            let time = Double(frame) / 30
            motion.add(shift: abs(place(time) - place(time - 1.0 / 30)), at: time)
        }
        return motion
    }

    @Test
    func `a camera on a tripod rests, also in the wind`() {
        #expect(motion { _ in 0 }.state == .resting)
        #expect(motion { 0.0016 * sin(5 * $0) }.state == .resting)
    }

    @Test(arguments: [(0.01, 11.0), (0.04, 3.0), (0.005, 30.0)])
    func `a hand that returns to where it was shakes all the same`(amplitude: Double, speed: Double) {
        let motion = motion { amplitude * sin(speed * $0) }
        #expect(motion.state == .moving && motion.hasMoved)
    }

    @Test
    func `a pan moves, and once it is over the camera rests`() {
        #expect(motion { 0.1 * $0 }.state == .moving)
        let moved = motion(seconds: 6) { 0.1 * min($0, 1) }
        #expect(moved.state == .resting && !moved.hasMoved)
        #expect(motion(seconds: 6) { 0.1 * min($0, 4) }.hasMoved)
    }

    @Test
    func `nothing is said before half a second, and pictures without a shift tell of no motion`() {
        #expect(motion(seconds: 0.4) { $0 }.state == .unknown)
        var motion = CameraMotion()
        for frame in 0..<40 { motion.add(shift: nil, at: Double(frame) / 30) }
        #expect(motion.state == .resting)
    }
}
