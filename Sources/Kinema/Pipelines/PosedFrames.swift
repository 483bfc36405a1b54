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

    /// Reads frames in order: a file in several parts at once, or in one piece. In one piece, the models may already run
    /// on the next frame while people are tracked in this one.
    public struct Iterator: AsyncIteratorProtocol {
        private enum State {
            case closed
            case whole(WholeFile)
            case parts(PartJoiner, pictures: VideoReader.AsyncFrames.AsyncIterator?)
        }

        private let frames: VideoReader.AsyncFrames
        private let pipeline: PosePipeline
        private var state = State.closed

        init(frames: VideoReader.AsyncFrames, pipeline: PosePipeline) {
            (self.frames, self.pipeline) = (frames, pipeline)
            // Other inputs are read from now on.
            if !mayUseParts { state = .whole(WholeFile(frames: frames.makeAsyncIterator(), pipeline: pipeline)) }
        }

        private var workers: Int {
            pipeline.jobs ?? (ModelStore.isOneOfSeveral ? 1 : ProcessInfo.processInfo.activeProcessorCount)
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
            case .whole(var whole):
                defer { state = .whole(whole) }
                return try await whole.next()
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
            let times = await frames.keyTimes()
            let plan = PartPlan(
                duration: frames.videoDuration, keyTimes: times, workers: workers, length: pipeline.partLength)
            guard let plan else {
                return .whole(WholeFile(frames: frames.makeAsyncIterator(), pipeline: pipeline))
            }
            let parts = PartWorkers(frames, pipeline, plan, count: workers)
            return .parts(
                PartJoiner(parts, smooths: pipeline.smooths),
                pictures: pipeline.needsPictures ? frames.makeAsyncIterator() : nil)
        }
    }

    /// Reads a file in one piece.
    struct WholeFile {
        private struct PendingFrame {
            /// The longest interval over which motion is extrapolated, seconds.
            static let maximumInterval = 0.045

            var element: TemporalFeature<VideoFrame>
            var bodies: Task<BodyTracker.Inference, any Error>?
            /// Begins when the hands of the frame before have been followed, since hands move too fast to be predicted.
            var hands: Task<HandPass.Result, any Error>?

            var isShort: Bool {
                let range = element.id.rangeInSeconds
                return range.upperBound - range.lowerBound <= Self.maximumInterval
            }
        }

        private var frames: VideoReader.AsyncFrames.AsyncIterator
        private let pipeline: PosePipeline
        private var tracker: PoseTracker
        private var pending: PendingFrame?

        init(frames: VideoReader.AsyncFrames.AsyncIterator, pipeline: PosePipeline) {
            (self.frames, self.pipeline) = (frames, pipeline)
            tracker = PoseTracker(pipeline)
        }

        mutating func next() async throws -> TemporalFeature<PosedFrame>? {
            var current = pending
            if current == nil { current = try await startFrame(ahead: 0) }
            guard var current else { return nil }
            if current.hands == nil { try startHands(of: &current) }
            // A model that searches the whole frame does not depend on the frame before, so any interval will do.
            let mayReadAhead = current.isShort || !pipeline.model.followsRegions
            pending = pipeline.mode == .file && mayReadAhead ? try await startFrame(ahead: 1) : nil
            let frame = current.element.feature
            let hands = try await current.hands?.value
            try tracker.followHands(into: frame, with: hands)
            if var next = pending {
                try startHands(of: &next)
                pending = next
            }
            let bodies = try await current.bodies?.value
            return TemporalFeature(id: current.element.id, feature: try tracker.finish(frame, bodies, hands))
        }

        private mutating func startFrame(ahead: Int) async throws -> PendingFrame? {
            guard let element = try await frames.next() else { return nil }
            let inference = try tracker.bodyInference(for: element.feature, ahead: ahead)
            return PendingFrame(
                element: element, bodies: inference.map { inference in Task.detached { try inference() } })
        }

        private mutating func startHands(of frame: inout PendingFrame) throws {
            let pass = try tracker.handPass(for: frame.element.feature)
            frame.hands = pass.map { pass in Task.detached { try pass.run() } }
        }
    }
}
