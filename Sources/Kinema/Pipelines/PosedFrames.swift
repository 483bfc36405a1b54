import Foundation
public import KinemaCore
import KinemaMedia

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
        private let frames: VideoReader.AsyncFrames
        private let pipeline: PosePipeline
        /// Nil until it is known whether the file is read in parts, and where no pictures are needed.
        private var pictures: VideoReader.AsyncFrames.AsyncIterator?
        private var tracker: PoseTracker
        private var parts: PartJoiner?
        private var isOpen = false

        init(frames: VideoReader.AsyncFrames, pipeline: PosePipeline) {
            (self.frames, self.pipeline, tracker) = (frames, pipeline, PoseTracker(pipeline))
            guard !mayUseParts else { return }
            // Other inputs are read from now on.
            (pictures, isOpen) = (frames.makeAsyncIterator(), true)
        }

        private var mayUseParts: Bool {
            pipeline.workers > 1 && frames.canBeParted
                && frames.videoDuration >= (pipeline.partLength ?? 2 * PartPlan.shortestLength)
        }

        /// The next frame with its poses; nil after the last. Throws the reader's errors and `.missingComponent`.
        public mutating func next() async throws -> TemporalFeature<PosedFrame>? {
            if !isOpen { await open() }
            let posed = try await parts?.next()
            let picture = try await pictures?.next()
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

        private mutating func open() async {
            let pipeline = pipeline
            async let models: Void = Parallelism.$isOneOfSeveral.withValue(true) { pipeline.prepareModels() }
            let times = await frames.keyTimes()
            await models
            let plan = PartPlan(
                duration: frames.videoDuration, keyTimes: times, workers: pipeline.workers,
                length: pipeline.partLength)
            parts = plan.map {
                PartJoiner(
                    PartWorkers(frames, pipeline, $0, count: pipeline.workers), smooths: pipeline.smooths)
            }
            if parts == nil || pipeline.needsPictures { pictures = frames.makeAsyncIterator() }
            isOpen = true
        }
    }
}
