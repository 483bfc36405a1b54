import Foundation
import KinemaCore

/// A hand that does things one after the other, with the times at which its tips meet.
struct PinchStream {
    /// The hand in every frame; nil where it was not seen.
    private(set) var frames: [(time: TimeInterval, hand: Pose?)] = []
    /// When the tips of each pinch met, seconds.
    private(set) var closings: [TimeInterval] = []
    let rate: Double

    /// A random stream: pinches, near-pinches, fists and flat hands, with noise and frames without a hand.
    init(
        seed: UInt64, count: Int = 16, jitter: Double = 0.03, dropouts: Double = 0.05, tilt: Double = 0.6,
        isSolid: Bool = true
    ) {
        var noise = Noise(seed)
        func within(_ low: Double, _ high: Double) -> Double { low + (high - low) * noise.uniform() }
        rate = [15, 24, 25, 30, 50, 60][Int(within(0, 5.999))]
        var figure = HandFigure()
        figure.jitter = jitter
        figure.isSolid = isSolid
        // What a person who draws shows the camera: the palm, more or less, at any slant.
        figure.turn = SIMD3(within(-tilt, tilt), within(-tilt, tilt), within(-0.8, 0.8))
        figure.scale = within(0.05, 0.3)
        var script: [(posture: (Double) -> HandFigure.Posture, duration: Double)] = []
        func rest() { script.append(({ _ in .pinch(0) }, within(0.3, 0.8))) }
        func squeeze(to depth: Double) {
            let (closing, opening) = (within(0.1, 0.3), within(0.1, 0.3))
            script.append(({ .pinch(depth * $0) }, closing))
            script.append(({ _ in .pinch(depth) }, within(0.15, 0.8)))
            script.append(({ .pinch(depth * (1 - $0)) }, opening))
        }
        rest()
        for _ in 0..<count {
            switch noise.uniform() {
            case ..<0.5: squeeze(to: 1)
            // The tips come to 0.45 to 0.6 hand lengths, four centimetres and more.
            case ..<0.7: squeeze(to: within(0.4, 0.6))
            case ..<0.85: script.append(({ _ in .fist }, within(0.3, 1)))
            default: script.append(({ _ in .flat }, within(0.3, 1)))
            }
            rest()
        }
        var start = 0.0
        var wasClosed = false
        for (posture, duration) in script {
            while Double(frames.count) / rate < start + duration {
                let time = Double(frames.count) / rate
                let now = posture((time - start) / duration)
                // Meeting: within a fifth of the hand, two centimetres, of which the model puts one between the tips.
                var isClosed = false
                if case .pinch = now { isClosed = HandFigure.gap(now) < 0.2 }
                if isClosed, !wasClosed { closings.append(time) }
                wasClosed = isClosed
                let pose = figure.pose(now, id: 1, noise: &noise)
                frames.append((time, noise.uniform() < dropouts ? nil : pose))
            }
            start += duration
        }
    }
}
