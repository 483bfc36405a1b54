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
    private var smoother: PoseSmoother?
    private var handSmoother: PoseSmoother?

    private var store: ModelStore { .store(on: pipeline.device, mode: pipeline.mode) }

    /// Makes a tracker without people; the models are prepared at the first frame.
    package init(_ pipeline: PosePipeline) { self.pipeline = pipeline }

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
            let motion = StageTimes.measure(.track) { background.update(frame, people: poses) }
            for index in poses.indices { poses[index].cameraMotion = motion }
        }
        let found = try pass.flatMap { try hands?.finish(frame, people: poses, with: $0) } ?? []
        return StageTimes.measure(.track) {
            PosedFrame(frame: frame, poses: smooth(poses, frame), hands: smooth(found, frame))
        }
    }

    private mutating func smooth(_ poses: [Pose], _ frame: VideoFrame) -> [Pose] {
        guard pipeline.smooths else { return poses }
        if smoother == nil { smoother = PoseSmoother(aspectRatio: frame.aspectRatio) }
        return smoother?.smooth(poses, at: frame.time) ?? poses
    }

    private mutating func smooth(
        _ hands: [HumanHandPoseObservation], _ frame: VideoFrame
    ) -> [HumanHandPoseObservation] {
        guard pipeline.smooths, !hands.isEmpty else { return hands }
        if handSmoother == nil { handSmoother = PoseSmoother(aspectRatio: frame.aspectRatio) }
        let poses = handSmoother?.smooth(hands.map(\.pose), at: frame.time) ?? []
        return zip(hands, poses).map { hand, pose in
            var hand = hand
            hand.pose = pose
            return hand
        }
    }
}

extension VideoFrame {
    package var aspectRatio: Double { Double(width) / Double(max(1, height)) }
}
