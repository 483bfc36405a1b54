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

    /// Makes a tracker without people; the models are prepared at the first frame. All cores work on each inference
    /// unless the task is one of several.
    package init(_ pipeline: PosePipeline) { (self.pipeline, store) = (pipeline, pipeline.store) }

    /// Everyone in the next frame; a live stream leaves the search for newcomers to `catchUp`.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed.
    package mutating func track(_ frame: VideoFrame) throws -> PosedFrame {
        var poses = try findBodies(in: frame)
        if pipeline.findsBodies {
            cameraMotion = StageTimes.measure(.track) { background.update(frame, people: poses) }
            for index in poses.indices { poses[index].cameraMotion = cameraMotion }
        }
        let found = try findHands(in: frame, people: poses)
        let posed = PosedFrame(frame: frame, poses: poses, hands: found)
        return pipeline.smooths ? StageTimes.measure(.track) { smoother.smooth(posed) } : posed
    }

    private mutating func findBodies(in frame: VideoFrame) throws -> [Pose] {
        guard pipeline.findsBodies else { return [] }
        if bodies == nil {
            bodies = try BodyTracker(pipeline.model, options: pipeline.options, store: store, mode: pipeline.mode)
        }
        return try bodies?.update(frame) ?? []
    }

    private mutating func findHands(in frame: VideoFrame, people: [Pose]) throws -> [HumanHandPoseObservation] {
        guard let options = pipeline.hands else { return [] }
        if hands == nil {
            hands = try HandPoseTracker(
                options: options, store: store, mode: pipeline.mode, knowsBodies: pipeline.findsBodies)
        }
        return try hands?.update(frame, people: people) ?? []
    }

    /// Searches the last frame for newcomers if that is due and was postponed; they appear in the next frame.
    package mutating func catchUp() throws { try bodies?.catchUp() }

    /// The number of cuts so far, also of those to a picture without people.
    var shot: Int { bodies?.shot ?? 0 }

    /// Everyone in view or recently lost.
    var people: PersonMemory { bodies?.memory ?? PersonMemory() }

    /// Those in view whose numbers are greater than `number`.
    func newcomers(after number: Int) -> PersonMemory { bodies?.newcomers(after: number) ?? PersonMemory() }
}

struct FrameSmoother: Sendable {
    private var bodies, hands: PoseSmoother?

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
