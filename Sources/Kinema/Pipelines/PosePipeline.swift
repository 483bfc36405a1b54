public import KinemaCore
public import KinemaMedia
public import KinemaVision

/// From frames to the poses of everyone in them: `VideoReader` → body and hand tracker → `PoseSmoother`.
public struct PosePipeline: Sendable {
    /// How bodies are looked for.
    public var options: BodyPoseOptions
    /// A PoseNet model that finds bodies in place of BlazePose; `options` then have no effect.
    public var poseNet: PoseNetOptions?
    /// Whether jitter is taken out of the joints; the raw landmarks suit measuring.
    public var smooths: Bool
    /// How hands are looked for; nil leaves them out.
    public var hands: HandPoseOptions?
    /// Whether bodies are looked for; without them hands are found in half the time.
    public var findsBodies = true
    /// Whether two frames are worked on at once: a quarter more frames a second on two cores, each one frame later.
    ///
    /// Bodies in the next frame are then looked for where they should be by their motion so far, and come out a median of
    /// 0.1 % of the person's height elsewhere than when each frame waits for the one before. Below 22 frames a second
    /// bodies move too far from frame to frame for that, and each waits. Of a camera or a stream the newest frame is what
    /// counts, so it is never read ahead.
    public var readsAhead: Bool

    /// Makes a pipeline; the defaults find everyone's bodies, smooth, and read ahead.
    public init(
        options: BodyPoseOptions = BodyPoseOptions(), smooths: Bool = true, hands: HandPoseOptions? = nil,
        readsAhead: Bool = true
    ) {
        self.readsAhead = readsAhead
        self.options = options
        self.smooths = smooths
        self.hands = hands
    }

    /// A pipeline that finds nothing but hands.
    public static func handsOnly(_ options: HandPoseOptions = HandPoseOptions(), smooths: Bool = true) -> PosePipeline {
        var pipeline = PosePipeline(smooths: smooths, hands: options)
        pipeline.findsBodies = false
        return pipeline
    }

    /// A pipeline that finds nobody and hands the frames on as they are.
    package static var framesOnly: PosePipeline {
        var pipeline = PosePipeline(smooths: false, readsAhead: false)
        pipeline.findsBodies = false
        return pipeline
    }

    /// The frames with their poses, one element a frame, in order.
    public func callAsFunction(_ frames: VideoReader.AsyncFrames) -> PosedFrames {
        PosedFrames(frames: frames, pipeline: self)
    }
}

/// A frame and the poses in it.
public struct PosedFrame: Sendable {
    /// The picture.
    public let frame: VideoFrame
    /// Everyone in it; empty when nobody is.
    public let poses: [Pose]
    /// The hands in it, when the pipeline looks for them.
    public let hands: [HumanHandPoseObservation]

    package init(frame: VideoFrame, poses: [Pose], hands: [HumanHandPoseObservation]) {
        self.frame = frame
        self.poses = poses
        self.hands = hands
    }
}

/// Frames with their poses; can be iterated once, as the frames can.
public struct PosedFrames: TemporalSequence {
    /// A frame with its poses.
    public typealias Feature = PosedFrame

    let frames: VideoReader.AsyncFrames
    let pipeline: PosePipeline

    /// Unknown before reading.
    public var count: Int? { frames.count }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(
            frames: frames.makeAsyncIterator(), pipeline: pipeline, readsAhead: pipeline.readsAhead && !frames.isLive)
    }

    /// Reads one frame after the other; when the pipeline reads ahead, bodies in the next frame are being found while
    /// one's people are followed.
    public struct Iterator: AsyncIteratorProtocol {
        private struct Look {
            /// The longest time between frames over which motion goes on as it was, seconds.
            static let longestStep = 0.045

            var element: TemporalFeature<VideoFrame>
            var bodies: Task<BodyTracker.Seen, any Error>?

            var isShort: Bool {
                let range = element.id.rangeInSeconds
                return range.upperBound - range.lowerBound <= Self.longestStep
            }
        }

        private var frames: VideoReader.AsyncFrames.AsyncIterator
        private let pipeline: PosePipeline
        private var follower: PoseFollower
        private var waiting: Look?

        init(frames: VideoReader.AsyncFrames.AsyncIterator, pipeline: PosePipeline, readsAhead: Bool) {
            self.frames = frames
            var pipeline = pipeline
            pipeline.readsAhead = readsAhead
            self.pipeline = pipeline
            follower = PoseFollower(pipeline)
        }

        /// The next frame with its poses; nil after the last.
        ///
        /// Throws what reading throws, and `.missingComponent` when the inference library or a model is not installed.
        public mutating func next() async throws -> TemporalFeature<PosedFrame>? {
            var now = waiting
            if now == nil { now = try await startLook(ahead: 0) }
            guard let now else { return nil }
            // PoseNet needs no frame before, so nothing is lost however long the step.
            let mayLookAhead = now.isShort || pipeline.poseNet != nil
            waiting = pipeline.readsAhead && mayLookAhead ? try await startLook(ahead: 1) : nil
            let seen = try await now.bodies?.value
            return TemporalFeature(
                id: now.element.id, feature: try follower.follow(now.element.feature, seen: seen))
        }

        private mutating func startLook(ahead: Int) async throws -> Look? {
            guard let element = try await frames.next() else { return nil }
            let look = try follower.look(at: element.feature, ahead: ahead)
            return Look(element: element, bodies: look.map { look in Task.detached { try look() } })
        }
    }
}
