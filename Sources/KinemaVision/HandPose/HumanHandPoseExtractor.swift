public import Foundation
public import KinemaCore
public import KinemaMedia

/// Finds and tracks the hands in a frame.
///
/// Pass the frames of a stream in order: hands then keep their number (`Pose.id`) from frame to frame. Tracking
/// restarts when a source's time goes back. An extractor can serve several streams at once; they share the models.
public struct HumanHandPoseExtractor: Transformer, Sendable {
    /// The options of the search for hands.
    public let options: HandPoseOptions
    private let trackers: TrackerCache<HandPoseTracker>

    /// Creates an extractor that finds up to two hands.
    public init() {
        self.init(options: HandPoseOptions())
    }

    /// Creates an extractor with options; `store` provides the compiled models.
    public init(options: HandPoseOptions, store: ModelStore = .shared) {
        self.options = options
        trackers = TrackerCache { try HandPoseTracker(options: options, store: store) }
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
    public func hands(in frame: VideoFrame) throws -> [HumanHandPoseObservation] {
        try trackers.update(frame)
    }
}

/// The options of the search for hands.
public struct HandPoseOptions: Sendable, Hashable {
    /// The maximum number of hands to track at once; larger hands take precedence.
    public var maximumHandCount: Int
    /// The interval between searches while fewer hands than the maximum are in view, in seconds.
    public var searchInterval: TimeInterval
    /// The numeric precision of inference.
    public var precision: ModelStore.Precision
    /// Whether each hand is read a second time, from a tighter region, and that reading is the one reported.
    ///
    /// It finds fingertips that touch before skin, where the first reading folds the finger away, and costs another
    /// inference for each hand. Hands are followed by the first reading, which forgives more movement.
    public var readsCloseUp: Bool

    /// Creates options; the defaults track both hands of one person.
    ///
    /// - Parameters:
    ///   - maximumHandCount: The maximum number of hands to track at once; larger hands take precedence.
    ///   - searchInterval: The interval between searches while hands are missing, seconds.
    ///   - precision: The numeric precision of inference.
    ///   - readsCloseUp: Whether each hand is read a second time, from a tighter region.
    public init(
        maximumHandCount: Int = 2, searchInterval: TimeInterval = 0.1, precision: ModelStore.Precision = .f32,
        readsCloseUp: Bool = false
    ) {
        self.maximumHandCount = max(0, maximumHandCount)
        self.searchInterval = searchInterval
        self.precision = precision
        self.readsCloseUp = readsCloseUp
    }
}
