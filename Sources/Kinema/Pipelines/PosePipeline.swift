public import KinemaCore
public import KinemaMedia
import KinemaMotion
public import KinemaVision

/// From frames to the poses of everyone in them: `VideoReader` → `HumanBodyPoseExtractor` → `PoseSmoother`.
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
        PosedFrames(frames: frames, extractor: HumanBodyPoseExtractor(options: options), smooths: smooths)
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
    let extractor: HumanBodyPoseExtractor
    let smooths: Bool

    /// Unknown before reading.
    public var count: Int? { frames.count }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        Iterator(frames: frames.makeAsyncIterator(), extractor: extractor, smooths: smooths)
    }

    /// Reads one frame after the other.
    public struct Iterator: AsyncIteratorProtocol {
        var frames: VideoReader.AsyncFrames.AsyncIterator
        let extractor: HumanBodyPoseExtractor
        let smooths: Bool
        private var smoother: PoseSmoother?

        init(frames: VideoReader.AsyncFrames.AsyncIterator, extractor: HumanBodyPoseExtractor, smooths: Bool) {
            self.frames = frames
            self.extractor = extractor
            self.smooths = smooths
        }

        /// The next frame with its poses; nil after the last.
        public mutating func next() async throws -> TemporalFeature<PosedFrame>? {
            guard let element = try await frames.next() else { return nil }
            let frame = element.feature
            var poses = try await extractor.applied(to: frame)
            if smooths {
                var smoother = smoother ?? PoseSmoother(aspectRatio: Double(frame.width) / Double(frame.height))
                poses = smoother.smooth(poses, at: frame.time)
                self.smoother = smoother
            }
            return TemporalFeature(id: element.id, feature: PosedFrame(frame: frame, poses: poses))
        }
    }
}
