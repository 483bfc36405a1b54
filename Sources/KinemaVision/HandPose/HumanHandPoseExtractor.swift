public import Foundation
public import KinemaCore
public import KinemaMedia

/// Finds the hands in a frame.
///
/// Frames of one stream, given in order, are one scene: hands keep their number (`Pose.id`) from frame to frame. A
/// frame of another source, or one that goes back in time, starts a new scene. An extractor may serve several streams
/// at once; they share the models.
public struct HumanHandPoseExtractor: Transformer, Sendable {
    /// How hands are looked for.
    public let options: HandPoseOptions
    private let scenes: SceneShelf<HandPoseTracker>

    /// Makes an extractor that finds up to two hands.
    public init() {
        self.init(options: HandPoseOptions())
    }

    /// Makes an extractor with options of its own; `store` holds the compiled models.
    public init(options: HandPoseOptions, store: ModelStore = .shared) {
        self.options = options
        scenes = SceneShelf { try HandPoseTracker(options: options, store: store) }
    }

    /// The poses of the hands in the frame, 21 joints each, normalised, origin at the lower left.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed, `.analysisFailed` when
    /// inference fails.
    public func applied(to input: VideoFrame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
        try Task.checkCancellation()
        return try hands(in: input).map(\.pose)
    }

    /// The hands with their side, without a task: for callers that bring their own thread.
    public func hands(in frame: VideoFrame) throws -> [HumanHandPoseObservation] {
        try scenes.update(frame)
    }
}

/// How hands are looked for.
public struct HandPoseOptions: Sendable, Hashable {
    /// The most hands that are followed at once; the largest are found first.
    public var maximumHandCount: Int
    /// How often hands are looked for while fewer than that are in view, seconds.
    public var searchInterval: TimeInterval
    /// How exact the arithmetic is.
    public var precision: ModelStore.Precision

    /// Makes options; the defaults follow both hands of one person.
    public init(
        maximumHandCount: Int = 2, searchInterval: TimeInterval = 0.1, precision: ModelStore.Precision = .f32
    ) {
        self.maximumHandCount = max(0, maximumHandCount)
        self.searchInterval = searchInterval
        self.precision = precision
    }
}
