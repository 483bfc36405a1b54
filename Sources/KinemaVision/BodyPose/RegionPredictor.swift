import Foundation
import KinemaCore

/// Predicts a body's next region from its two alignment points, smoothed as in MediaPipe.
struct RegionPredictor: Sendable {
    /// One Euro filter on pixels scaled by region size: min cutoff 0.01, beta 10, derivative cutoff 1 (MediaPipe).
    private var filters = [OneEuroFilter](
        repeating: OneEuroFilter(minimumCutoff: 0.01, beta: 10, derivativeCutoff: 1), count: 4)

    /// Time in steps of 1/30 s whatever the frame rate: MediaPipe's constants are tuned to these steps.
    private var time: TimeInterval = 0
    private static let step: TimeInterval = 1.0 / 30

    mutating func region(after body: BodyLandmarks) -> Region {
        time += Self.step
        let line = body.rim - body.middle
        let scale = 1 / max(1e-6, 2 * line.length)
        let raw = [body.middle.x, body.middle.y, body.rim.x, body.rim.y]
        let smooth = filters.indices.map { filters[$0].filter(raw[$0], at: time, scale: scale) }
        return Region(middle: SIMD2(smooth[0], smooth[1]), rim: SIMD2(smooth[2], smooth[3]))
    }
}
