import KinemaVision
public import Foundation
public import KinemaCore
import KinemaMedia

/// A small object flying through the image.
public final class VNTrajectoryObservation: VNObservation {
    fileprivate let observation: TrajectoryObservation

    init(_ observation: TrajectoryObservation) {
        self.observation = observation
        super.init(observation)
    }

    /// The object's centre in the newest frames, oldest first.
    public var detectedPoints: [VNPoint] { observation.detectedPoints.map { VNPoint(location: $0.cgPoint) } }
    /// The points on the parabola nearest to `detectedPoints`.
    public var projectedPoints: [VNPoint] { observation.projectedPoints.map { VNPoint(location: $0.cgPoint) } }
    /// a, b and c of y = ax² + bx + c.
    public var equationCoefficients: simd_float3 { observation.equationCoefficients }
    /// The object's mean radius in image widths.
    public var movingAverageRadius: CGFloat { observation.movingAverageRadius }
}

extension TrajectoryObservation {
    /// The observation in Vision's Swift API.
    public init(_ observation: VNTrajectoryObservation) { self = observation.observation }
}

/// Detects objects that fly along parabolas; create one per stream and perform it on the frames in order.
public final class VNDetectTrajectoriesRequest: VNStatefulRequest {
    /// The number of points before a flight is reported, and of an observation, at least 5.
    public var trajectoryLength: Int { request.trajectoryLength }
    private let request: DetectTrajectoriesRequest

    /// Creates a request; `trajectoryLength` is at least 5.
    public init(
        frameAnalysisSpacing: CMTime, trajectoryLength: Int, completionHandler: VNRequestCompletionHandler? = nil
    ) {
        request = DetectTrajectoriesRequest(
            trajectoryLength: trajectoryLength, frameAnalysisSpacing: frameAnalysisSpacing)
        super.init(frameAnalysisSpacing: frameAnalysisSpacing, completionHandler: completionHandler)
    }

    /// The minimum radius of objects in image widths; 0 by default.
    public var objectMinimumNormalizedRadius: Float {
        get { request.objectMinimumNormalizedRadius }
        set { request.objectMinimumNormalizedRadius = newValue }
    }

    /// The maximum radius of objects in image widths; 1 by default.
    public var objectMaximumNormalizedRadius: Float {
        get { request.objectMaximumNormalizedRadius }
        set { request.objectMaximumNormalizedRadius = newValue }
    }

    /// The same as `objectMinimumNormalizedRadius`, under its name of 2020.
    public var minimumObjectSize: Float {
        get { objectMinimumNormalizedRadius }
        set { objectMinimumNormalizedRadius = newValue }
    }

    /// The same as `objectMaximumNormalizedRadius`, under its name of 2020.
    public var maximumObjectSize: Float {
        get { objectMaximumNormalizedRadius }
        set { objectMaximumNormalizedRadius = newValue }
    }

    /// The target time per frame; indefinite, for the best accuracy, by default.
    public var targetFrameTime: CMTime {
        get { request.targetFrameTime }
        set { request.targetFrameTime = newValue }
    }

    /// The number of frames before the first observation.
    public override var minimumLatencyFrameCount: Int { request.minimumLatencyFrameCount }

    /// The trajectories in the last frame, highest confidence first.
    public var results: [VNTrajectoryObservation]? { observations as? [VNTrajectoryObservation] }

    override func analyse(_ frame: VideoFrame) throws -> [VNObservation] {
        guard !frame.isPicture else {
            throw VNError(
                .timeStampNotFound, "the image has no presentationTimeStamp; pass the frames of a VideoReader")
        }
        request.regionOfInterest = try region()
        return try request.trajectories(in: frame).map(VNTrajectoryObservation.init)
    }
}
