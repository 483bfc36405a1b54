import KinemaCore
package import KinemaMedia
import KinemaMotion
import KinemaVision

/// Follows everyone from frame to frame: the rule behind `PosePipeline`, for callers that bring their own frames.
package struct PoseFollower: Sendable {
    private let pipeline: PosePipeline
    private var bodies: BodyTracker?
    private var hands: HandPoseTracker?
    private var smoother: PoseSmoother?
    private var handSmoother: PoseSmoother?

    /// Who reads no frame ahead waits for each.
    private var store: ModelStore { pipeline.readsAhead ? .shared : .live }

    /// Follows nobody yet; the models are prepared with the first frame.
    package init(_ pipeline: PosePipeline) {
        self.pipeline = pipeline
    }

    /// Everyone in the next frame; those who are known already come sooner when newcomers are looked for later, by
    /// `catchUp`.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed.
    package mutating func follow(_ frame: VideoFrame, searchesLater: Bool = false) throws -> PosedFrame {
        try follow(frame, seen: look(at: frame, ahead: 0)?(), searchesLater: searchesLater)
    }

    /// Looks for newcomers in the last frame, if that is due and was put off; they are told with the next frame.
    package mutating func catchUp() throws {
        try bodies?.catchUp()
    }

    /// A look at a frame to be taken on any thread; with `ahead` 1 while the frame before is still being worked on.
    mutating func look(at frame: VideoFrame, ahead: Int) throws -> (@Sendable () throws -> BodyTracker.Seen)? {
        guard pipeline.findsBodies else { return nil }
        if bodies == nil {
            bodies = try BodyTracker(options: pipeline.options, poseNet: pipeline.poseNet, store: store)
        }
        return bodies?.look(at: frame, ahead: ahead)
    }

    /// Everyone in the next frame, which was looked at already.
    mutating func follow(
        _ frame: VideoFrame, seen: BodyTracker.Seen?, searchesLater: Bool = false
    ) throws -> PosedFrame {
        let poses = try seen.flatMap { try bodies?.update(frame, seen: $0, searchesLater: searchesLater) } ?? []
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
