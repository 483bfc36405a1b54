import Foundation
public import KinemaCore
import KinemaMedia
import KinemaVision

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
        private var crowd: CrowdCheck
        private var isCrowdReported = false

        init(frames: VideoReader.AsyncFrames, pipeline: PosePipeline) {
            let isAutomatic = if case .automatic = pipeline.model { true } else { false }
            crowd = CrowdCheck(namesModel: frames.isLive || isAutomatic)
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
            let found = try await nextFound()
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

        private mutating func nextFound() async throws -> TemporalFeature<PosedFrame>? {
            let posed = try await parts?.next()
            let picture = if let first = first.take() { first } else { try await pictures?.next() }
            guard parts != nil else {
                guard let picture else { return nil }
                return TemporalFeature(id: picture.id, feature: try tracker.track(picture.feature))
            }
            guard let posed else { return nil }
            guard let picture else { return TemporalFeature(id: posed.frame.id, feature: posed) }
            guard picture.id == posed.frame.id else {
                throw KinemaError(
                    .unreadableInput, "differs when it is read in parts; use --jobs 1", file: frames.url.path)
            }
            return TemporalFeature(
                id: picture.id,
                feature: PosedFrame(frame: picture.feature, poses: posed.poses, hands: posed.hands))
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
