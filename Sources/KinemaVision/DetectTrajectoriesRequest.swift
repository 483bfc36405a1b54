package import KinemaImaging
public import KinemaCore
public import KinemaMedia
import Synchronization

/// Detects small objects that fly along parabolas; shake and slow pans of the camera are compensated.
///
/// Create one request per stream and pass it the frames in order. Another source or a step back in time restarts it.
public final class DetectTrajectoriesRequest: StatefulRequest {
    private struct Settings {
        var minimumRadius: Float = 0
        var maximumRadius: Float = 1
        var targetFrameTime = CMTime.indefinite
        var regionOfInterest = NormalizedRect.fullImage
    }

    /// The revision in use.
    public let revision: FirstRevision
    /// The number of points of an observation, at least 5: a flight is reported once it has this many, with the newest
    /// ones.
    public let trajectoryLength: Int
    /// The minimum time between analysed frames; frames that follow sooner are skipped.
    public let frameAnalysisSpacing: CMTime

    private let settings = Mutex(Settings())
    private let search = Mutex<TrajectorySearch?>(nil)

    /// The kind and revision of the request.
    public var descriptor: RequestDescriptor { .detectTrajectoriesRequest(revision) }

    /// Creates a request; `trajectoryLength` is at least 5, without `frameAnalysisSpacing` every frame is analysed.
    public init(trajectoryLength: Int, _ revision: FirstRevision? = nil, frameAnalysisSpacing: CMTime? = nil) {
        self.trajectoryLength = trajectoryLength
        self.revision = revision ?? .revision1
        self.frameAnalysisSpacing = frameAnalysisSpacing ?? .zero
    }

    /// The minimum radius of objects in image widths; 0 by default.
    public var objectMinimumNormalizedRadius: Float {
        get { settings.withLock { $0.minimumRadius } }
        set { settings.withLock { $0.minimumRadius = newValue } }
    }

    /// The maximum radius of objects in image widths; 1 by default.
    public var objectMaximumNormalizedRadius: Float {
        get { settings.withLock { $0.maximumRadius } }
        set { settings.withLock { $0.maximumRadius = newValue } }
    }

    /// The target time per frame, indefinite by default; slow frames reduce the resolution of the next ones.
    public var targetFrameTime: CMTime {
        get { settings.withLock { $0.targetFrameTime } }
        set { settings.withLock { $0.targetFrameTime = newValue } }
    }

    /// The part of the image in which objects are detected, 0...1, origin at the lower left; points are relative to it.
    public var regionOfInterest: NormalizedRect {
        get { settings.withLock { $0.regionOfInterest } }
        set { settings.withLock { $0.regionOfInterest = newValue } }
    }

    /// The number of frames before the first observation: `trajectoryLength`.
    public var minimumLatencyFrameCount: Int { trajectoryLength }

    /// The least confidence of a trajectory that is reported: what Vision's users test for, and `kinema trajectories` reports.
    private static let leastConfidence = 0.9

    /// The trajectories in a frame, highest confidence first; none while nothing is likely to fly.
    ///
    /// Throws `.invalidArgument` for a length below 5.
    public func perform(on frame: VideoFrame) async throws -> [TrajectoryObservation] {
        try trajectories(in: frame)
    }

    package func trajectories(in frame: VideoFrame) throws -> [TrajectoryObservation] {
        try Task.checkCancellation()
        guard trajectoryLength >= FlightTracker.minimumPoints else {
            throw KinemaError(.invalidArgument, "trajectoryLength is \(trajectoryLength); pass 5 or more")
        }
        let region = regionOfInterest
        return flights(in: frame).filter {
            $0.points.count >= trajectoryLength && Float($0.confidence) > Float(Self.leastConfidence)
        }.map { flight in
            var observation = flight.observation(
                length: trajectoryLength, projected: FlightTracker.minimumPoints,
                aspectRatio: Double(frame.width) / Double(frame.height)
            ).relative(to: region)
            observation.originatingRequestDescriptor = descriptor
            return observation
        }
    }

    package func flights(in frame: VideoFrame) -> [Flight] {
        let settings = settings.withLock { $0 }
        return search.withLock { search in
            var current = search?.continues(with: frame) == true ? search : nil
            // Taking the search out of the mutex avoids copying its pictures.
            search = nil
            var next = current.take() ?? TrajectorySearch(frame)
            defer { search = next }
            next.spacing = frameAnalysisSpacing.seconds
            next.radii = Double(settings.minimumRadius)...Double(max(settings.minimumRadius, settings.maximumRadius))
            next.targetFrameTime = settings.targetFrameTime.isNumeric ? settings.targetFrameTime.seconds : .infinity
            next.region = settings.regionOfInterest
            return next.flights(in: frame)
        }
    }
}
