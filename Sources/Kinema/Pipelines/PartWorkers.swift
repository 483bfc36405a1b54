import Foundation
import KinemaCore
import KinemaMedia
import KinemaVision
import Synchronization

/// A frame of a part, without its picture: the people as its own tracker numbers them, not smoothed.
struct PartFrame: Sendable {
    var posed: PosedFrame
    var cameraMotion: SimilarityTransform?
    /// The people who got their numbers in this frame.
    var newcomers: PersonMemory

    var start: Int { posed.frame.id.range.lowerBound }
    var end: Int { posed.frame.id.range.upperBound }
}

/// Analyses the parts of a file, each on a thread of its own with a decoder of its own, a few parts ahead of the reader.
final class PartWorkers: Sendable {
    enum Element: Sendable {
        case frame(PartFrame)
        /// The people at the part's end.
        case end(PersonMemory)
    }

    let plan: PartPlan
    private let frames: VideoReader.AsyncFrames
    private let pipeline: PosePipeline
    private let channels: [FrameChannel<Element>]
    private let rest = FrameChannel<Element>(.bounded(1 << 16))
    private let next = Mutex(0)
    private let isCancelled = Atomic<Bool>(false)
    /// One for each part that may be begun.
    private let room = DispatchSemaphore(value: 0)

    /// Starts the workers.
    init(_ frames: VideoReader.AsyncFrames, _ pipeline: PosePipeline, _ plan: PartPlan, count: Int) {
        (self.frames, self.plan) = (frames, plan)
        var pipeline = pipeline
        (pipeline.mode, pipeline.smooths) = (.exact, false)
        self.pipeline = pipeline
        channels = plan.starts.map { _ in FrameChannel(.bounded(1 << 16)) }
        for _ in 0...count { room.signal() }
        for _ in 0..<min(count, plan.starts.count) {
            // A core has one inference at a time.
            Thread.start("kinema.part") { [self] in Parallelism.$isOneOfSeveral.withValue(true) { work() } }
        }
    }

    /// The next frame of a part, or its end; nil after that. Throws the part's error, and CancellationError.
    func element(of part: Int) async throws -> Element? { try await read(channels[part]) }

    /// The same of the rest, once `readRest` was called.
    func elementOfRest() async throws -> Element? { try await read(rest) }

    private func read(_ channel: FrameChannel<Element>) async throws -> Element? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await channel.next()
        } onCancel: {
            cancel()
        }
    }

    /// Allows one more part to be begun, after one was read.
    func release() { room.signal() }

    /// Ends all parts and analyses the file in one piece from a part's start; defects are reported from there on.
    func readRest(from part: Int) {
        endParts()
        Thread.start("kinema.rest") { [self] in
            analyse(from: plan.begin(of: part), until: .infinity, isStrict: false, into: rest)
        }
    }

    func cancel() {
        endParts()
        rest.cancel()
        if !pipeline.needsPictures { frames.stop() }
    }

    private func endParts() {
        isCancelled.store(true, ordering: .relaxed)
        channels.forEach { $0.cancel() }
        for _ in channels { room.signal() }
    }

    private func work() {
        while true {
            room.wait()
            guard !isCancelled.load(ordering: .relaxed),
                let part = next.withLock({ next -> Int? in
                    defer { next += 1 }
                    return next < channels.count ? next : nil
                })
            else { return }
            analyse(from: plan.begin(of: part), until: plan.end(of: part), isStrict: true, into: channels[part])
        }
    }

    private func analyse(
        from begin: TimeInterval, until end: TimeInterval, isStrict: Bool, into channel: FrameChannel<Element>
    ) {
        do {
            let reader = try frames.part(from: begin, isStrict: isStrict, isReported: !pipeline.needsPictures)
            var tracker = PoseTracker(pipeline)
            var greatest = 0
            while let frame = try reader.next(), frame.time < end - 1e-9 {
                let posed = try tracker.track(frame)
                let bare = VideoFrame(width: frame.width, height: frame.height, id: frame.id)
                let element = PartFrame(
                    posed: PosedFrame(frame: bare, poses: posed.poses, hands: posed.hands),
                    cameraMotion: tracker.cameraMotion, newcomers: tracker.newcomers(after: greatest))
                greatest = max(greatest, posed.poses.compactMap(\.id).max() ?? 0)
                guard channel.sendBlocking(.frame(element)) else { return }
            }
            _ = channel.sendBlocking(.end(tracker.people))
            channel.finish()
        } catch {
            channel.finish(.failure(error))
        }
    }
}
