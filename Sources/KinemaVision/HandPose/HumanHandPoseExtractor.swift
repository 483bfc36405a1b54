public import KinemaCore
public import KinemaMedia

/// Detects and tracks the hands in a frame.
///
/// Pass the frames of a stream in order: hands keep their number (`Pose.id`), and tracking restarts when time goes
/// back. An extractor can serve several streams at once.
public struct HumanHandPoseExtractor: Transformer, Sendable {
    private let trackers: TrackerCache<HandPoseTracker>

    /// Creates an extractor.
    public init(options: HandPoseOptions = HandPoseOptions()) {
        trackers = TrackerCache { try HandPoseTracker(options: options) }
    }

    /// The poses of the hands in the frame, 21 joints each, normalised, origin at the lower left.
    ///
    /// Throws `.missingComponent` without the inference library or a model, `.analysisFailed` when inference fails.
    public func applied(to input: VideoFrame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
        try Task.checkCancellation()
        return try hands(in: input).map(\.pose)
    }

    package func hands(in frame: VideoFrame) throws -> [HumanHandPoseObservation] { try trackers.update(frame) }
}
