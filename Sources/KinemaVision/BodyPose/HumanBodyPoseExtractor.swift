import Foundation
public import KinemaCore
public import KinemaMedia
import Synchronization

/// Finds the body poses of everyone in a frame.
///
/// Frames of one stream, given in order, are one scene: people keep their number (`Pose.id`) from frame to frame. A
/// frame of another source, or one that goes back in time, starts a new scene. An extractor may serve several streams
/// at once; they share the models.
public struct HumanBodyPoseExtractor: Transformer, Sendable {
    /// How bodies are looked for.
    public let options: BodyPoseOptions
    private let scenes: SceneShelf

    /// Makes an extractor that finds everyone.
    public init() {
        self.init(options: BodyPoseOptions())
    }

    /// Makes an extractor with options of its own; `store` holds the compiled models.
    public init(options: BodyPoseOptions, store: ModelStore = .shared) {
        self.options = options
        scenes = SceneShelf(options: options, store: store)
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
        try scenes.scene(of: frame.id.source).update(frame)
    }
}

/// One tracker a source, the least lately used given up beyond eight.
private final class SceneShelf: Sendable {
    private static let limit = 8

    private let options: BodyPoseOptions
    private let store: ModelStore
    private let scenes = Mutex<[(source: String, scene: Scene)]>([])

    init(options: BodyPoseOptions, store: ModelStore) {
        self.options = options
        self.store = store
    }

    func scene(of source: String) throws -> Scene {
        try scenes.withLock { scenes in
            if let index = scenes.firstIndex(where: { $0.source == source }) {
                let known = scenes.remove(at: index)
                scenes.append(known)
                return known.scene
            }
            let scene = try Scene(options: options, store: store)
            scenes.append((source, scene))
            if scenes.count > Self.limit { scenes.removeFirst() }
            return scene
        }
    }
}

/// A tracker behind a lock: frames of one stream are looked at one after the other.
private final class Scene: Sendable {
    private struct State {
        var tracker: BodyPoseTracker
        var lastTime: TimeInterval?
    }

    private let state: Mutex<State>
    private let options: BodyPoseOptions
    private let store: ModelStore

    init(options: BodyPoseOptions, store: ModelStore) throws {
        self.options = options
        self.store = store
        state = Mutex(State(tracker: try BodyPoseTracker(options: options, store: store)))
    }

    func update(_ frame: VideoFrame) throws -> [Pose] {
        try state.withLock { state in
            if let lastTime = state.lastTime, frame.time <= lastTime {
                state.tracker = try BodyPoseTracker(options: options, store: store)
            }
            state.lastTime = frame.time
            return try state.tracker.update(frame)
        }
    }
}
