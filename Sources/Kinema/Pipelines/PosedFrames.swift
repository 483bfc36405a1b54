import KinemaPose
import Foundation
public import KinemaCore
public import KinemaMedia

/// Frames with their poses; can be iterated once, like the frames.
public struct PosedFrames: TemporalSequence {
    /// A frame with its poses.
    public typealias Feature = PosedFrame

    let frames: VideoReader.AsyncFrames
    let pipeline: PosePipeline

    /// Unknown before reading.
    public var count: Int? { frames.count }

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator {
        var pipeline = pipeline
        if frames.isLive {
            pipeline.mode = .exact
            if case .automatic = pipeline.model, pipeline.findsBodies {
                pipeline.model = .blazePose
                let text = "--model auto reads cameras and streams with blazepose"
                frames.report([Diagnostic("model.chosen", text, file: frames.source)])
            }
        }
        return Iterator(frames: frames, pipeline: pipeline)
    }

    /// Reads frames in order: a file in several parts at once, or in one piece.
    public struct Iterator: AsyncIteratorProtocol {
        private let frames: VideoReader.AsyncFrames
        private var pipeline: PosePipeline
        /// Nil until it is known whether the file is read in parts, and if no pictures are needed.
        private var pictures: VideoReader.AsyncFrames.AsyncIterator?
        private var tracker: PoseTracker
        private var parts: PartJoiner?
        private var isOpen = false
        /// The first frame, read to choose the model.
        private var first: TemporalFeature<VideoFrame>?
        /// The frames that are analysed, of those that are delivered; nil for all.
        private var step: FrameStep?
        private var skipped = SkippedFrames()
        /// The frames to return next.
        private var ready: ArraySlice<PosedFrame> = []
        private var crowd: CrowdCheck
        private var isCrowdReported = false

        init(frames: VideoReader.AsyncFrames, pipeline: PosePipeline) {
            let isAutomatic = if case .automatic = pipeline.model { true } else { false }
            crowd = CrowdCheck(namesModel: frames.isLive || isAutomatic)
            step = frames.keepsSkipped ? frames.step : nil
            (self.frames, self.pipeline, tracker) = (frames, pipeline, PoseTracker(pipeline))
            guard !pipeline.mayUseParts(of: frames), !mayChoose else { return }
            reportOnePiece()
            // Other inputs are read from here on.
            (pictures, isOpen) = (frames.makeAsyncIterator(), true)
        }

        private var mayChoose: Bool {
            if case .automatic = pipeline.model { pipeline.findsBodies } else { false }
        }

        /// The next frame with its poses; nil after the last. Throws the reader's errors and `.missingComponent`.
        public mutating func next() async throws -> TemporalFeature<PosedFrame>? {
            if !isOpen { try await open() }
            let found = try await nextShown()
            guard found?.feature.isAnalysed != false else { return found }
            if case .blazePose = pipeline.model, pipeline.options.maximumPeople >= CrowdSurvey.crowd {
                if let found { crowd.take(found.feature) }
                let isDue = found == nil || frames.isLive && crowd.frames >= CrowdCheck.liveFrames
                if isDue, !isCrowdReported, let note = crowd.note {
                    isCrowdReported = true
                    frames.report([Diagnostic("people.crowd", note, file: frames.source)])
                }
            }
            return found
        }

        /// The next frame, analysed or not.
        private mutating func nextShown() async throws -> TemporalFeature<PosedFrame>? {
            while ready.isEmpty, let picture = try await nextPicture() {
                guard let picture, step?.takes(picture.id) == false else {
                    guard let posed = try await posed(picture) else { break }
                    ready = ArraySlice(skipped.finish(before: posed))
                    break
                }
                skipped.add(picture)
                if skipped.count >= frames.mostKept { ready = ArraySlice(skipped.finish()) }
            }
            if ready.isEmpty { ready = ArraySlice(skipped.finish()) }
            return ready.popFirst().map { TemporalFeature(id: $0.frame.id, feature: $0) }
        }

        /// The next picture, or nil for a file that is read without any; nil after the last.
        private mutating func nextPicture() async throws -> VideoFrame?? {
            if let first = first.take() { return .some(first.feature) }
            guard pictures != nil else { return .some(nil) }
            return try await pictures?.next().map { .some($0.feature) }
        }

        /// The people in the next frame that is analysed, which is the picture if there is one.
        private mutating func posed(_ picture: VideoFrame?) async throws -> PosedFrame? {
            guard parts != nil else {
                guard let picture else { return nil }
                guard let step else { return try tracker.track(picture) }
                let found = try tracker.track(VideoFrame(picture, id: step.lasting(picture.id)))
                return PosedFrame(frame: picture, poses: found.poses, hands: found.hands)
            }
            guard let posed = try await parts?.next() else { return nil }
            guard let picture else { return posed }
            guard picture.id.range.lowerBound == posed.frame.id.range.lowerBound else {
                throw KinemaError(
                    .unreadableInput, "differs when it is read in parts; use --jobs 1", file: frames.url.path)
            }
            return PosedFrame(frame: picture, poses: posed.poses, hands: posed.hands)
        }

        private mutating func open() async throws {
            if mayChoose { try await chooseModel() }
            parts = await pipeline.plan(for: frames).map {
                PartJoiner(
                    PartWorkers(PartAnalysis(frames, pipeline, $0), count: pipeline.workers), smooths: pipeline.smooths)
            }
            if parts == nil { reportOnePiece() }
            if pictures == nil, parts == nil || pipeline.needsPictures { pictures = frames.makeAsyncIterator() }
            isOpen = true
        }

        /// Reports that parts of a long file are not kept.
        private func reportOnePiece() {
            guard pipeline.partFolder != nil, frames.duration > (pipeline.partLength ?? PartPlan.usualLength) else {
                return
            }
            let text = "cannot be read in parts: nothing is kept until it is done"
            frames.report([Diagnostic("parts.none", text, file: frames.source)])
        }

        /// Chooses the model from some frames of a file, or from the first frame of other inputs.
        private mutating func chooseModel() async throws {
            var sample = await frames.sample(at: CrowdSurvey.places)
            if sample.isEmpty {
                pictures = frames.makeAsyncIterator()
                first = try await pictures?.next()
                sample = [first?.feature].compactMap(\.self)
            }
            frames.report(try pipeline.settle(on: sample, file: frames.source))
            tracker = PoseTracker(pipeline)
        }
    }
}

/// Keeps the frames that are not analysed until the next analysed one, and puts people between the two.
struct SkippedFrames: Sendable {
    private var kept: [VideoFrame] = []
    private var last: PosedFrame?

    /// The longest time between two sightings of a person who is shown between them, in seconds: less than the quickest
    /// repetitions take.
    private static let longestGap: TimeInterval = 0.25

    var count: Int { kept.count }

    mutating func add(_ frame: VideoFrame) { kept.append(frame) }

    /// The kept frames, then the analysed one that follows them.
    mutating func finish(before next: PosedFrame) -> [PosedFrame] {
        defer { (kept, last) = ([], next) }
        return kept.map { frame in
            let between = last.flatMap { Self.people(at: frame.time, between: $0, and: next) }
            return PosedFrame(
                frame: frame, poses: between?.poses ?? [], hands: between?.hands ?? [], isAnalysed: false)
        } + [next]
    }

    /// The kept frames if no analysed one follows soon, with the people of the one before.
    mutating func finish() -> [PosedFrame] {
        defer { kept = [] }
        return kept.map { frame in
            let known = last.flatMap { frame.time - $0.frame.time <= Self.longestGap ? $0 : nil }
            return PosedFrame(frame: frame, poses: known?.poses ?? [], hands: known?.hands ?? [], isAnalysed: false)
        }
    }

    /// The people and hands that are in both frames, without a cut between them.
    private static func people(
        at time: TimeInterval, between one: PosedFrame, and other: PosedFrame
    ) -> (poses: [Pose], hands: [HumanHandPoseObservation])? {
        let length = other.frame.time - one.frame.time
        guard length > 0, length <= longestGap else { return nil }
        let share = (time - one.frame.time) / length
        let poses = one.poses.compactMap { pose in
            other.poses.first { $0.id == pose.id && $0.shot == pose.shot }.map { pose.moved(share, towards: $0) }
        }
        let hands = one.hands.compactMap { hand -> HumanHandPoseObservation? in
            guard let next = other.hands.first(where: { $0.pose.id == hand.pose.id }) else { return nil }
            var hand = hand
            hand.pose = hand.pose.moved(share, towards: next.pose)
            return hand
        }
        return (poses, hands)
    }
}

extension Pose {
    /// The joints of both poses, this share of the way from these to those.
    fileprivate func moved(_ share: Double, towards other: Pose) -> Pose {
        var pose = self
        pose.keypoints = keypoints.reduce(into: [:]) { joints, entry in
            guard let next = other.keypoints[entry.key] else { return }
            let (from, to) = (entry.value.location, next.location)
            joints[entry.key] = JointPoint(
                entry.key,
                location: CGPoint(x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share),
                confidence: min(entry.value.confidence, next.confidence))
        }
        // Nothing is drawn in depth.
        pose.keypoints3D = [:]
        return pose
    }
}
