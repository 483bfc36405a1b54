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

    /// Makes a pipeline; the defaults find everyone and smooth.
    public init(options: BodyPoseOptions = BodyPoseOptions(), smooths: Bool = true) {
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
        private var frames: VideoReader.AsyncFrames.AsyncIterator
        private let pipeline: PosePipeline
        private var tracker: BodyPoseTracker?
        private var smoother: PoseSmoother?

        init(frames: VideoReader.AsyncFrames.AsyncIterator, pipeline: PosePipeline) {
            self.frames = frames
            self.pipeline = pipeline
        }

        /// The next frame with its poses; nil after the last.
        ///
        /// Throws what reading throws, and `.missingComponent` when the inference library or a model is not installed.
        public mutating func next() async throws -> TemporalFeature<PosedFrame>? {
            guard let element = try await frames.next() else { return nil }
            var tracker = try tracker ?? BodyPoseTracker(options: pipeline.options)
            let frame = element.feature
            let poses = try tracker.update(frame)
            self.tracker = tracker
            return TemporalFeature(id: element.id, feature: PosedFrame(frame: frame, poses: smooth(poses, frame)))
        }

        private mutating func smooth(_ poses: [Pose], _ frame: VideoFrame) -> [Pose] {
            guard pipeline.smooths else { return poses }
            var smoother = smoother ?? PoseSmoother(aspectRatio: Double(frame.width) / Double(frame.height))
            defer { self.smoother = smoother }
            return smoother.smooth(poses, at: frame.time)
        }
    }
}
