import KinemaCore
package import KinemaMedia
import KinemaMotion
import KinemaVision

/// Tracks everyone from frame to frame: the core of `PosePipeline`, for callers with their own frames.
package struct PoseTracker: Sendable {
    private let pipeline: PosePipeline
    private var bodies: BodyTracker?
    private var background = BackgroundTracker()
    private var hands: HandPoseTracker?
    private var smoother = FrameSmoother()
    private let store: ModelStore
    /// How the background has moved since the first frame; nil while that is unknown.
    private(set) var cameraMotion: SimilarityTransform?

    /// Makes a tracker without people; the models are prepared at the first frame. Without a `store`, the pipeline's
    /// device and mode decide.
    package init(_ pipeline: PosePipeline, store: ModelStore? = nil) {
        self.pipeline = pipeline
        self.store = store ?? .store(on: pipeline.device, mode: pipeline.mode)
    }

    /// Everyone in the next frame; a live stream leaves the search for newcomers to `catchUp`.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed.
    package mutating func track(_ frame: VideoFrame) throws -> PosedFrame {
        let bodies = try bodyInference(for: frame, ahead: 0)?()
        let hands = try handPass(for: frame)?.run()
        try followHands(into: frame, with: hands)
        return try finish(frame, bodies, hands)
    }

    /// Searches the last frame for newcomers if that is due and was postponed; they appear in the next frame.
    package mutating func catchUp() throws { try bodies?.catchUp() }

    /// The inference of bodies for a frame, on any thread; `ahead` is 1 while the previous frame is in progress.
    mutating func bodyInference(for frame: VideoFrame, ahead: Int) throws -> (
        @Sendable () throws -> BodyTracker.Inference
    )? {
        guard pipeline.findsBodies else { return nil }
        if bodies == nil {
            bodies = try BodyTracker(pipeline.model, options: pipeline.options, store: store, mode: pipeline.mode)
        }
        return bodies?.inference(for: frame, ahead: ahead)
    }

    /// The pass of the hand models over a frame, on any thread; the previous frame's hands must have been followed.
    mutating func handPass(for frame: VideoFrame) throws -> HandPass? {
        guard let options = pipeline.hands else { return nil }
        if hands == nil {
            hands = try HandPoseTracker(
                options: options, store: store, mode: pipeline.mode, knowsBodies: pipeline.findsBodies)
        }
        return hands?.pass(for: frame)
    }

    /// Follows the known hands into the next frame; the frame after it may then be begun.
    mutating func followHands(into frame: VideoFrame, with pass: HandPass.Result?) throws {
        if let pass { try hands?.follow(frame, with: pass) }
    }

    /// Everyone in the next frame, given the models' results.
    mutating func finish(
        _ frame: VideoFrame, _ inference: BodyTracker.Inference?, _ pass: HandPass.Result?
    ) throws -> PosedFrame {
        var poses = try inference.flatMap { try bodies?.update(frame, with: $0) } ?? []
        if pipeline.findsBodies {
            cameraMotion = StageTimes.measure(.track) { background.update(frame, people: poses) }
            for index in poses.indices { poses[index].cameraMotion = cameraMotion }
        }
        let found = try pass.flatMap { try hands?.finish(frame, people: poses, with: $0) } ?? []
        let posed = PosedFrame(frame: frame, poses: poses, hands: found)
        return pipeline.smooths ? StageTimes.measure(.track) { smoother.smooth(posed) } : posed
    }

    /// Everyone in view or recently lost.
    var people: PersonMemory { bodies?.memory ?? PersonMemory() }

    /// Those in view whose numbers are greater than `number`.
    func newcomers(after number: Int) -> PersonMemory { bodies?.newcomers(after: number) ?? PersonMemory() }
}

/// Removes jitter from the people and the hands of a stream.
struct FrameSmoother: Sendable {
    private var bodies: PoseSmoother?
    private var hands: PoseSmoother?

    mutating func smooth(_ posed: PosedFrame) -> PosedFrame {
        let frame = posed.frame
        return PosedFrame(
            frame: frame, poses: Self.smooth(posed.poses, frame, by: &bodies),
            hands: zip(posed.hands, Self.smooth(posed.hands.map(\.pose), frame, by: &hands)).map { hand, pose in
                var hand = hand
                hand.pose = pose
                return hand
            })
    }

    private static func smooth(_ poses: [Pose], _ frame: VideoFrame, by smoother: inout PoseSmoother?) -> [Pose] {
        guard smoother != nil || !poses.isEmpty else { return [] }
        var used = smoother.take() ?? PoseSmoother(aspectRatio: frame.aspectRatio)
        defer { smoother = used }
        return used.smooth(poses, at: frame.time)
    }
}

extension VideoFrame {
    package var aspectRatio: Double { Double(width) / Double(max(1, height)) }
}
