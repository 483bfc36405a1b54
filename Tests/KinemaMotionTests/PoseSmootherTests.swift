import KinemaMotion
import Foundation
import KinemaCore
import Testing

struct PoseSmootherTests {
    private func pose(id: Int? = nil, size: Double, shift: Double) -> Pose {
        let low = JointPoint(.leftAnkle, location: CGPoint(x: 0.5, y: 0.1 + shift), confidence: 1)
        let high = JointPoint(.nose, location: CGPoint(x: 0.5, y: 0.1 + size + shift), confidence: 1)
        let spatial = JointPoint3D(.nose, position: SIMD3(0, Float(shift), 1), confidence: 1)
        return Pose(from: [.leftAnkle: low, .nose: high], keypoints3D: [.nose: spatial], id: id, confidence: 1)
    }

    /// How much of an alternating jitter is left after a second, as a share of it.
    private func jitterLeft(size: Double, jitter: Double) -> Double {
        var smoother = PoseSmoother(aspectRatio: 16.0 / 9)
        var (low, high) = (Double.infinity, -Double.infinity)
        for frame in 0..<60 {
            let shift = frame.isMultiple(of: 2) ? jitter : -jitter
            let smooth = smoother.smooth([pose(size: size, shift: shift)], at: Double(frame) / 30)
            let y = smooth[0].keypoints[.nose]?.location.y ?? .nan
            if frame >= 30 { (low, high) = (min(low, y), max(high, y)) }
        }
        return (high - low) / (2 * jitter)
    }

    @Test func `jitter shrinks alike for people near and far`() {
        let near = jitterLeft(size: 0.8, jitter: 0.0008)
        let far = jitterLeft(size: 0.2, jitter: 0.0002)
        #expect(near < 0.35)
        #expect(abs(near - far) < 1e-9)
    }

    @Test func `two people do not mix and someone back after a while starts anew`() {
        var smoother = PoseSmoother(aspectRatio: 1, memory: 0.5)
        let first = [pose(id: 1, size: 0.5, shift: 0), pose(id: 2, size: 0.5, shift: 0.3)]
        #expect(smoother.smooth(first, at: 0) == first)
        let crossed = [first[1], first[0]]
        #expect(smoother.smooth(crossed, at: 0.1) == crossed)
        let moved = [pose(id: 1, size: 0.5, shift: 0.01)]
        #expect(smoother.smooth(moved, at: 0.2) != moved)
        let returned = [pose(id: 1, size: 0.5, shift: 0.2)]
        #expect(smoother.smooth(returned, at: 0.8) == returned)
    }

    @Test func `joints in space are smoothed too and confidences kept`() {
        var smoother = PoseSmoother(aspectRatio: 1)
        _ = smoother.smooth([pose(size: 0.5, shift: 0)], at: 0)
        let smooth = smoother.smooth([pose(size: 0.5, shift: 0.001)], at: 0.033)[0]
        let y = smooth.keypoints3D[.nose]?.position.y ?? .nan
        #expect(y > 0 && y < 0.0005)
        #expect(smooth.keypoints3D[.nose]?.confidence == 1)
    }
}
