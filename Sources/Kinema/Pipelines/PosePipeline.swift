public import KinemaCore
public import KinemaMedia
import KinemaMotion
public import KinemaVision

/// From frames to the poses of everyone in them: `VideoReader` → body tracker → `PoseSmoother`.
public struct PosePipeline: Sendable {
    /// How bodies are looked for.
    public var options: BodyPoseOptions
    /// Whether jitter is taken out of the joints; the raw landmarks suit measuring.
    public var smooths: Bool

    /// Whether two frames are worked on at once, which spares inference threads from waiting for each other.
    ///
    /// The landmarks of the next frame are then looked for where the people should be by their motion so far, and come
    /// out a median of 0.1 % of the person's height elsewhere than when each frame waits for the one before.
    public var readsAhead: Bool

    /// Makes a pipeline; the defaults find everyone and smooth.
    public init(options: BodyPoseOptions = BodyPoseOptions(), smooths: Bool = true, readsAhead: Bool = true) {
        self.readsAhead = readsAhead
        self.options = options
        self.smooths = smooths
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
}

/// Frames with their poses; can be iterated once, as the frames can.
///
/// When the pipeline reads ahead, the landmarks of the next frame are being found while one's people are followed.
public struct PosedFrames: TemporalSequence {
    /// A frame with its poses.
    public typealias Feature = PosedFrame

    let frames: VideoReader.AsyncFrames
    let pipeline: PosePipeline

    /// Unknown before reading.
    public var count: Int? { frames.count }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(frames: frames.makeAsyncIterator(), pipeline: pipeline)
    }

    /// Reads one frame after the other.
    public struct Iterator: AsyncIteratorProtocol {
        private typealias Look = (element: TemporalFeature<VideoFrame>, seen: Task<FrameLook.Seen, any Error>)

        private var frames: VideoReader.AsyncFrames.AsyncIterator
        private let pipeline: PosePipeline
        private var tracker: BodyPoseTracker?
        private var smoother: PoseSmoother?
        private var waiting: Look?

        init(frames: VideoReader.AsyncFrames.AsyncIterator, pipeline: PosePipeline) {
            self.frames = frames
            self.pipeline = pipeline
        }

        /// The next frame with its poses; nil after the last.
        ///
        /// Throws what reading throws, and `.missingComponent` when the inference library or a model is not installed.
        public mutating func next() async throws -> TemporalFeature<PosedFrame>? {
            var tracker =
                try tracker
                ?? BodyPoseTracker(
                    options: pipeline.options, arrangement: pipeline.readsAhead ? .throughput : .latency)
            var now = waiting
            if now == nil { now = try await startLook(tracker, ahead: 0) }
            guard let now else { return nil }
            waiting = pipeline.readsAhead ? try await startLook(tracker, ahead: 1) : nil
            let frame = now.element.feature
            let poses = try tracker.update(frame, seen: await now.seen.value)
            self.tracker = tracker
            return TemporalFeature(id: now.element.id, feature: PosedFrame(frame: frame, poses: smooth(poses, frame)))
        }

        private mutating func startLook(_ tracker: BodyPoseTracker, ahead: Int) async throws -> Look? {
            guard let element = try await frames.next() else { return nil }
            let look = tracker.look(at: element.feature, ahead: ahead)
            return (element, Task.detached { try look.take() })
        }

        private mutating func smooth(_ poses: [Pose], _ frame: VideoFrame) -> [Pose] {
            guard pipeline.smooths else { return poses }
            var smoother = smoother ?? PoseSmoother(aspectRatio: Double(frame.width) / Double(frame.height))
            defer { self.smoother = smoother }
            return smoother.smooth(poses, at: frame.time)
        }
    }
}
