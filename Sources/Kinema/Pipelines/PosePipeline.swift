public import KinemaCore
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
    /// How frames are processed. With `file`, two are processed at once, each one frame later. With two inferences at a
    /// time that is a quarter more frames a second; where one inference has every core, as for a video by itself on two
    /// cores, it is no more.
    ///
    /// Bodies in the next frame are then searched for where their motion so far predicts them, and come out a median of
    /// 0.1 % of the person's height from where they would without reading ahead. Below 22 frames a second bodies move
    /// too far between frames, so each frame waits for the one before. Hands are never predicted: those of the next frame
    /// are read while this one is searched for further ones, and come out the same. Live sources are never read ahead,
    /// because only their newest frame counts.
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
    ///
    /// What cannot be loaded is told by the first frame.
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

/// A frame and the poses in it.
public struct PosedFrame: Sendable {
    /// The picture.
    public let frame: VideoFrame
    /// Everyone in it; empty if there is nobody.
    public let poses: [Pose]
    /// The hands in it, if the pipeline finds them.
    public let hands: [HumanHandPoseObservation]

    package init(frame: VideoFrame, poses: [Pose], hands: [HumanHandPoseObservation]) {
        self.frame = frame
        self.poses = poses
        self.hands = hands
    }
}

/// Frames with their poses; can be iterated once, like the frames.
public struct PosedFrames: TemporalSequence {
    /// A frame with its poses.
    public typealias Feature = PosedFrame

    let frames: VideoReader.AsyncFrames
    let pipeline: PosePipeline

    /// Unknown before reading.
    public var count: Int? { frames.count }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        var pipeline = pipeline
        if frames.isLive { pipeline.mode = .exact }
        return Iterator(frames: frames.makeAsyncIterator(), pipeline: pipeline)
    }

    /// Reads frames in order. If the pipeline reads ahead, the models run on the next frame while people are tracked in
    /// this one.
    public struct Iterator: AsyncIteratorProtocol {
        /// A frame on which the models are running.
        private struct PendingFrame {
            /// The longest interval over which motion is extrapolated, seconds.
            static let maximumInterval = 0.045

            var element: TemporalFeature<VideoFrame>
            var bodies: Task<BodyTracker.Inference, any Error>?
            /// Begins when the hands of the frame before have been followed, since hands move too fast to be predicted.
            var hands: Task<HandPass.Result, any Error>?

            var isShort: Bool {
                let range = element.id.rangeInSeconds
                return range.upperBound - range.lowerBound <= Self.maximumInterval
            }
        }

        private var frames: VideoReader.AsyncFrames.AsyncIterator
        private let pipeline: PosePipeline
        private var tracker: PoseTracker
        private var pending: PendingFrame?

        init(frames: VideoReader.AsyncFrames.AsyncIterator, pipeline: PosePipeline) {
            (self.frames, self.pipeline) = (frames, pipeline)
            tracker = PoseTracker(pipeline)
        }

        /// The next frame with its poses; nil after the last.
        ///
        /// Throws what reading throws, and `.missingComponent` when the inference library or a model is not installed.
        public mutating func next() async throws -> TemporalFeature<PosedFrame>? {
            var current = pending
            if current == nil { current = try await startFrame(ahead: 0) }
            guard var current else { return nil }
            if current.hands == nil { try startHands(of: &current) }
            // A model that looks at the whole frame does not depend on the one before, so any interval will do.
            let mayReadAhead = current.isShort || !pipeline.model.followsRegions
            pending = pipeline.mode == .file && mayReadAhead ? try await startFrame(ahead: 1) : nil
            let frame = current.element.feature
            let hands = try await current.hands?.value
            try tracker.followHands(into: frame, with: hands)
            if var next = pending {
                try startHands(of: &next)
                pending = next
            }
            let bodies = try await current.bodies?.value
            return TemporalFeature(id: current.element.id, feature: try tracker.finish(frame, bodies, hands))
        }

        private mutating func startFrame(ahead: Int) async throws -> PendingFrame? {
            guard let element = try await frames.next() else { return nil }
            let inference = try tracker.bodyInference(for: element.feature, ahead: ahead)
            return PendingFrame(
                element: element, bodies: inference.map { inference in Task.detached { try inference() } })
        }

        private mutating func startHands(of frame: inout PendingFrame) throws {
            let pass = try tracker.handPass(for: frame.element.feature)
            frame.hands = pass.map { pass in Task.detached { try pass.run() } }
        }
    }
}
