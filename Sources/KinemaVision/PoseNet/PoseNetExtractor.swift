public import Foundation
public import KinemaCore
public import KinemaMedia

/// Finds the body poses of everyone in a frame with a PoseNet model, as `HumanBodyPoseExtractor` does with BlazePose.
///
/// Poses have 17 joints with neck and root, and no depth. Frames of one stream, given in order, are one scene: people
/// keep their number (`Pose.id`) from frame to frame; in a picture by itself they are numbered by their confidence.
public struct PoseNetExtractor: Transformer, Sendable {
    /// How bodies are found.
    public let options: PoseNetOptions
    private let scenes: SceneShelf<PoseNetTracker>

    /// Makes an extractor from a model's file.
    ///
    /// Throws `.unreadableInput` when there is no such file, or it is no PoseNet.
    public init(contentsOf model: URL, configuration: PoseBuilderConfiguration = .init()) throws(KinemaError) {
        self.init(options: PoseNetOptions(model: try PoseNetModel(contentsOf: model), configuration: configuration))
    }

    /// Makes an extractor with options of its own; `store` holds the compiled models.
    public init(options: PoseNetOptions, store: ModelStore = .shared) {
        self.options = options
        scenes = SceneShelf { try PoseNetTracker(options: options, store: store) }
    }

    /// The poses of everyone in the frame, normalised, origin at the lower left.
    ///
    /// Throws `.missingComponent` when the inference library is not installed, `.unreadableInput` when the model cannot
    /// be compiled, `.invalidArgument` when the configuration makes no sense, `.analysisFailed` when inference fails.
    public func applied(to input: VideoFrame, eventHandler: EventHandler? = nil) async throws -> [Pose] {
        try Task.checkCancellation()
        return try poses(in: input)
    }

    /// The same without a task: for callers that bring their own thread.
    public func poses(in frame: VideoFrame) throws -> [Pose] {
        try scenes.update(frame)
    }
}
