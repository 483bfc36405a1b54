public import KinemaCore
public import KinemaMedia

/// Finds and tracks the body poses of all people in a frame.
///
/// Pass the frames of a stream in order: people then keep their number (`Pose.id`) from frame to frame. Tracking
/// restarts when a source's time goes back. An extractor can serve several streams at once; they share the models.
public struct HumanBodyPoseExtractor: Transformer, Sendable {
    private let trackers: TrackerCache<BodyPoseTracker>

    /// Creates an extractor.
    public init(options: BodyPoseOptions = BodyPoseOptions()) {
        trackers = TrackerCache { try BodyPoseTracker(options: options) }
    }

    /// The poses of all people in the frame, normalised, origin at the lower left.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed, `.analysisFailed` when
    /// inference fails.
    public func applied(to input: VideoFrame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
        try Task.checkCancellation()
        return try poses(in: input)
    }

    /// The poses of all people in the frame, for callers that run on their own thread.
    package func poses(in frame: VideoFrame) throws -> [Pose] { try trackers.update(frame) }
}
