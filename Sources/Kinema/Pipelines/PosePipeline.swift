import KinemaCore
public import KinemaMedia
public import KinemaVision

/// Finds the poses of everyone in a stream of frames: `VideoReader` → body and hand tracker → `PoseSmoother`.
public struct PosePipeline: Sendable {
    /// How bodies are found.
    public var options: BodyPoseOptions
    /// What finds bodies; `options` are BlazePose's.
    public var model = BodyModel.blazePose
    /// The device that models run on.
    public var device = ModelStore.Device.cpu
    /// Whether to remove jitter from the joints; raw landmarks suit measurements.
    public var smooths: Bool
    /// How hands are found; nil for no hands.
    public var hands: HandPoseOptions?
    /// Whether to find bodies; hands alone take half the time.
    public var findsBodies = true
    /// How frames are processed. `file` processes two frames at once, each one frame later: a quarter more frames a second
    /// with two inferences at a time, none where one inference has every core.
    ///
    /// Bodies are then searched for where their motion predicts them, and differ by a median of 0.1 % of the person's
    /// height. Below 22 frames a second bodies move too far, so each frame waits for the one before. Hands are not
    /// predicted and stay the same. Live sources are never read ahead, because only their newest frame counts.
    public var mode: RunningMode

    /// Makes a pipeline; by default it finds everyone's bodies, smooths them and reads ahead.
    public init(
        options: BodyPoseOptions = BodyPoseOptions(), smooths: Bool = true, hands: HandPoseOptions? = nil,
        mode: RunningMode = .file
    ) {
        self.mode = mode
        self.options = options
        self.smooths = smooths
        self.hands = hands
    }

    /// A pipeline that finds only hands.
    public static func handsOnly(_ options: HandPoseOptions = HandPoseOptions(), smooths: Bool = true) -> PosePipeline {
        var pipeline = PosePipeline(smooths: smooths, hands: options)
        pipeline.findsBodies = false
        return pipeline
    }

    /// A pipeline that passes frames on without finding anybody.
    package static var framesOnly: PosePipeline {
        var pipeline = PosePipeline(smooths: false, mode: .exact)
        pipeline.findsBodies = false
        return pipeline
    }

    /// Loads the models for a file or a live source while it is being opened, which shortens the wait for the first pose.
    /// The first frame reports what cannot be loaded.
    package func prepareModels(isLive: Bool) {
        let store = ModelStore.store(on: device, mode: isLive ? .exact : mode)
        if findsBodies { BodyTracker.prepare(model, options: options, store: store) }
        if let hands { HandPoseTracker.prepare(hands, store: store) }
    }

    /// The frames with their poses, in order.
    public func callAsFunction(_ frames: VideoReader.AsyncFrames) -> PosedFrames {
        PosedFrames(frames: frames, pipeline: self)
    }
}
