import KinemaMotion
import KinemaPose
import KinemaImaging
import Foundation
import KinemaCore
package import KinemaMedia

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

/// Checks whether BlazePose sees a crowd or small people, which a top-down model detects better.
package struct CrowdCheck: Sendable {
    /// The number of frames after which a live input is judged: it runs until stopped, often without a last frame.
    static let liveFrames = 100

    /// Whether to name the model, since `--model auto` does not choose it for live inputs or when it was given already.
    private let namesModel: Bool
    private(set) var frames = 0
    private var crowded = 0, small = 0, most = 0

    package init(namesModel: Bool = false) { self.namesModel = namesModel }

    package mutating func take(_ posed: PosedFrame) {
        guard !posed.poses.isEmpty else { return }
        let frame = (width: Double(posed.frame.width), height: Double(posed.frame.height))
        let longest =
            posed.poses.compactMap { $0.boundingBox() }.map { max($0.width * frame.width, $0.height * frame.height) }
            .max() ?? 0
        frames += 1
        if posed.poses.count >= CrowdSurvey.crowd { crowded += 1 }
        if longest < CrowdSurvey.smallSide * min(frame.width, frame.height) { small += 1 }
        most = max(most, posed.poses.count)
    }

    /// The advice; nil unless at least half of the frames with people showed a crowd or only small people.
    package var note: String? {
        guard frames > 0, 2 * max(crowded, small) >= frames else { return nil }
        let seen =
            2 * crowded >= frames
            ? "up to \(most) people at once, and blazepose misses people in crowds"
            : "the people are small, and blazepose is unreliable for small people"
        let model = FetchableModel.forCrowds
        let option = "--model " + (namesModel ? model : "auto")
        guard !ChosenModel.installedNames.contains(model) else { return "\(seen): use \(option)" }
        let use = namesModel ? "then use \(option)" : "which \(option) then uses"
        return "\(seen): kinema models fetch \(model), \(use)"
    }
}
