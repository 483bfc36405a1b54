public import KinemaCore
public import KinemaMedia

/// Finds the body poses of everyone in a frame.
///
/// Frames of one stream, given in order, are one scene: people keep their number (`Pose.id`) from frame to frame. A
/// frame of another source, or one that goes back in time, starts a new scene. An extractor may serve several streams
/// at once; they share the models.
public struct HumanBodyPoseExtractor: Transformer, Sendable {
    /// How bodies are looked for.
    public let options: BodyPoseOptions
    private let scenes: SceneShelf<BodyPoseTracker>

    /// Makes an extractor that finds everyone.
    public init() {
        self.init(options: BodyPoseOptions())
    }

    /// Makes an extractor with options of its own; `store` holds the compiled models.
    public init(options: BodyPoseOptions, store: ModelStore = .shared) {
        self.options = options
        scenes = SceneShelf { try BodyPoseTracker(options: options, store: store) }
    }

    /// The poses of everyone in the frame, normalised, origin at the lower left.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed, `.analysisFailed` when
    /// inference fails.
    public func applied(to input: VideoFrame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
        try Task.checkCancellation()
        return try poses(in: input)
    }

    /// The same without a task: for callers that bring their own thread.
    public func poses(in frame: VideoFrame) throws -> [Pose] {
        try scenes.update(frame)
    }
}
