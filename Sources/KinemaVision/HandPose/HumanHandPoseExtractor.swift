public import Foundation
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

/// The options of the search for hands.
public struct HandPoseOptions: Sendable, Hashable {
    /// The maximum number of hands to track at once; larger hands take precedence.
    public var maximumHandCount: Int
    /// The interval between searches while fewer hands than the maximum are in view, in seconds.
    package var searchInterval: TimeInterval
    /// The numeric precision of inference.
    package var precision: ModelStore.Precision
    /// Whether to read each hand a second time from a tighter region and report that reading.
    ///
    /// It detects fingertips that touch in front of skin and costs another inference per hand.
    public var readsCloseUp: Bool

    /// Creates options; the defaults track both hands of one person.
    public init(
        maximumHandCount: Int = 2, searchInterval: TimeInterval = 0.1, precision: ModelStore.Precision = .f32,
        readsCloseUp: Bool = false
    ) {
        self.maximumHandCount = max(0, maximumHandCount)
        (self.searchInterval, self.precision, self.readsCloseUp) = (searchInterval, precision, readsCloseUp)
    }
}
