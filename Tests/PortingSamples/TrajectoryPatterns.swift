import Foundation
import Kinema

/// A ball's flight with the Swift API: spacing and target time in Core Media's terms, radii as `Float`.
final class BallTracker {
    struct Shot { var points: [CGPoint]; var duration: Double; var a: Float }

    private(set) var shots: [UUID: Shot] = [:]
    private let request: DetectTrajectoriesRequest

    init(trajectoryLength: Int = 10, minimumRadius: Float = 0.002) {
        request = DetectTrajectoriesRequest(
            trajectoryLength: trajectoryLength,
            frameAnalysisSpacing: CMTime(value: 1, timescale: 60))
        request.objectMinimumNormalizedRadius = minimumRadius
        request.objectMaximumNormalizedRadius = 0.3
        request.targetFrameTime = CMTimeMakeWithSeconds(1 / 30, preferredTimescale: 600)
        request.regionOfInterest = NormalizedRect(x: 0, y: 0, width: 1, height: 1)
    }

    func process(_ buffer: CMSampleBuffer) async throws {
        let observations = try await request.perform(on: buffer)
        for trajectory in observations where trajectory.confidence > 0.9 {
            guard let timeRange = trajectory.timeRange else { continue }
            let age = CMTimeGetSeconds(timeRange.end) - timeRange.start.seconds
            shots[trajectory.uuid] = Shot(
                points: trajectory.projectedPoints.map(\.cgPoint), duration: age,
                a: trajectory.equationCoefficients.x)
        }
    }
}
