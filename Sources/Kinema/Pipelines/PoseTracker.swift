import KinemaCore
package import KinemaMedia
import KinemaMotion
import KinemaVision

/// Tracks everyone from frame to frame: the core of `PosePipeline`, for callers with their own frames.
package struct PoseTracker: Sendable {
    private let pipeline: PosePipeline
    private var bodies: BodyTracker?
    private var hands: HandPoseTracker?
    private var smoother: PoseSmoother?
    private var handSmoother: PoseSmoother?

    /// A pipeline that does not read ahead waits for each frame.
    private var store: ModelStore { .store(on: pipeline.device, isLive: !pipeline.readsAhead) }

    /// Makes a tracker without people; the models are prepared at the first frame.
    package init(_ pipeline: PosePipeline) {
        self.pipeline = pipeline
    }

    /// Everyone in the next frame. With `searchesLater` the search for newcomers is left to `catchUp`, so that known
    /// people are returned sooner.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed.
    package mutating func track(_ frame: VideoFrame, searchesLater: Bool = false) throws -> PosedFrame {
        try track(frame, detected: detection(in: frame, ahead: 0)?(), searchesLater: searchesLater)
    }

    /// Searches the last frame for newcomers if that is due and was postponed; they appear in the next frame.
    package mutating func catchUp() throws {
        try bodies?.catchUp()
    }

    /// The detection of bodies in a frame, to be run on any thread; `ahead` is 1 while the previous frame is still in
    /// work.
    mutating func detection(in frame: VideoFrame, ahead: Int) throws -> (@Sendable () throws -> BodyTracker.Inference)?
    {
        guard pipeline.findsBodies else { return nil }
        if bodies == nil {
            bodies = try BodyTracker(pipeline.model, options: pipeline.options, store: store)
        }
        return bodies?.inference(for: frame, ahead: ahead)
    }

    /// Everyone in the next frame, whose bodies have been detected.
    mutating func track(
        _ frame: VideoFrame, detected: BodyTracker.Inference?, searchesLater: Bool = false
    ) throws -> PosedFrame {
        let poses = try detected.flatMap { try bodies?.update(frame, with: $0, searchesLater: searchesLater) } ?? []
        let hands = try findHands(in: frame, people: poses)
        return PosedFrame(frame: frame, poses: smooth(poses, frame), hands: smooth(hands, frame))
    }

    private mutating func findHands(in frame: VideoFrame, people: [Pose]) throws -> [HumanHandPoseObservation] {
        guard let options = pipeline.hands else { return [] }
        if hands == nil { hands = try HandPoseTracker(options: options, store: store) }
        return try hands?.update(frame, people: people) ?? []
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
    /// The picture's width divided by its height.
    package var aspectRatio: Double { Double(width) / Double(max(1, height)) }
}
