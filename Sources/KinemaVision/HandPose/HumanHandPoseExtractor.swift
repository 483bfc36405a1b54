public import KinemaCore
public import KinemaMedia

/// Finds and tracks the hands in a frame.
///
/// Pass the frames of a stream in order: hands then keep their number (`Pose.id`) from frame to frame. Tracking
/// restarts when a source's time goes back. An extractor can serve several streams at once; they share the models.
public struct HumanHandPoseExtractor: Transformer, Sendable {
    private let trackers: TrackerCache<HandPoseTracker>

    /// Creates an extractor.
    public init(options: HandPoseOptions = HandPoseOptions()) {
        trackers = TrackerCache { try HandPoseTracker(options: options) }
    }

    /// The poses of the hands in the frame, 21 joints each, normalised, origin at the lower left.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed, `.analysisFailed` when
    /// inference fails.
    public func applied(to input: VideoFrame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
        try Task.checkCancellation()
        return try hands(in: input).map(\.pose)
    }

    /// The hands in the frame with their chirality, for callers that run on their own thread.
    package func hands(in frame: VideoFrame) throws -> [HumanHandPoseObservation] { try trackers.update(frame) }
}
