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
        if frames.isLive { pipeline.mode = .exact }
        return Iterator(frames: frames, pipeline: pipeline)
    }

    /// Reads frames in order: a file in several parts at once, or in one piece.
    public struct Iterator: AsyncIteratorProtocol {
        private enum State {
            case closed
            case whole(VideoReader.AsyncFrames.AsyncIterator, PoseTracker)
            case parts(PartJoiner, pictures: VideoReader.AsyncFrames.AsyncIterator?)
        }

        private let frames: VideoReader.AsyncFrames
        private let pipeline: PosePipeline
        private var state = State.closed

        init(frames: VideoReader.AsyncFrames, pipeline: PosePipeline) {
            (self.frames, self.pipeline) = (frames, pipeline)
            // Other inputs are read from now on.
            if !mayUseParts { state = whole }
        }

        private var whole: State { .whole(frames.makeAsyncIterator(), PoseTracker(pipeline)) }

        private var workers: Int {
            // Two cores are as quick together on each inference.
            let cores = ProcessInfo.processInfo.activeProcessorCount
            return pipeline.jobs ?? (Parallelism.isOneOfSeveral || cores <= 2 ? 1 : cores)
        }

        private var mayUseParts: Bool {
            pipeline.mode == .file && pipeline.device == .cpu && workers > 1 && frames.canBeParted
                && (pipeline.findsBodies || pipeline.hands != nil)
                && frames.videoDuration >= (pipeline.partLength ?? 2 * PartPlan.shortestLength)
        }

        /// The next frame with its poses; nil after the last. Throws the reader's errors and `.missingComponent`.
        public mutating func next() async throws -> TemporalFeature<PosedFrame>? {
            if case .closed = state { state = await open() }
            switch state {
            case .closed: return nil
            case .whole(var frames, var tracker):
                guard let element = try await frames.next() else { return nil }
                let posed = try tracker.track(element.feature)
                state = .whole(frames, tracker)
                return TemporalFeature(id: element.id, feature: posed)
            case .parts(var joiner, var pictures):
                defer { state = .parts(joiner, pictures: pictures) }
                let posed = try await joiner.next()
                let picture = try await pictures?.next()
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
        }

        private func open() async -> State {
            let pipeline = pipeline
            async let models: Void = pipeline.prepareModels(from: .shared)
            let times = await frames.keyTimes()
            await models
            let plan = PartPlan(
                duration: frames.videoDuration, keyTimes: times, workers: workers, length: pipeline.partLength)
            guard let plan else { return whole }
            let parts = PartWorkers(frames, pipeline, plan, count: workers)
            return .parts(
                PartJoiner(parts, smooths: pipeline.smooths),
                pictures: pipeline.needsPictures ? frames.makeAsyncIterator() : nil)
        }
    }
}
