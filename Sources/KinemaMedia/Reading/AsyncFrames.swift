public import Foundation
public import KinemaCore

extension VideoReader {
    /// The frames of a video or an image, or of a camera or a stream, in time order; can be iterated once.
    ///
    /// A file loses no frame. A live source keeps only its newest frame for a slow consumer, and `tally` counts the
    /// others. Cancelling the task, or releasing the iterator, ends the decoding.
    public struct AsyncFrames: TemporalSequence, Sendable {
        /// A frame with its time.
        public typealias Feature = VideoFrame
        /// A frame with its time range in the stream.
        public typealias Element = TemporalFeature<VideoFrame>

        let job: DecodingJob

        init(_ job: DecodingJob) { self.job = job }

        /// Always nil: the number of frames that can be decoded is known only at the end.
        public var count: Int? { nil }
        /// Columns and rows as displayed, in pixels.
        public var frameSize: CGSize { CGSize(width: job.description.width, height: job.description.height) }
        /// Frames a second as the file states them; 0 if it does not, and for images.
        public var nominalFrameRate: Float { Float(job.description.frameRate) }
        /// Ticks a second in the frames' identifiers.
        public var timescale: Int { job.description.timescale }
        /// The file; `/dev/stdin` for standard input; the device of a camera; the address of a stream without its secrets.
        public var url: URL { job.input.url }
        /// The name in messages: that of `MediaInput.source`.
        package var source: String { job.input.source }
        /// The length as the file states it; 0 if it does not.
        public var videoDuration: CMTime { CMTime(seconds: duration, preferredTimescale: 1_000_000_000) }
        /// The same in seconds.
        package var duration: TimeInterval { job.description.duration }
        package var expectedFrameCount: Int? { job.description.expectedFrameCount }

        /// How the frames are turned, after their own orientation.
        package var orientation: PixelOrientation { job.orientation }

        /// The frames that are analysed, of all frames of the input.
        package var step: FrameStep { job.step }
        /// Whether the others are delivered as well.
        package var keepsSkipped: Bool { job.keepsSkipped }
        /// The most frames to keep until the next analysed one is known.
        package var mostKept: Int { job.mostKept }
        /// How the file's times were changed to those of what was filmed, or why they were not though a tag differs.
        package var note: String? {
            let (slowdown, capture) = (job.description.slowdown, job.description.captureRate)
            guard slowdown != 1 else {
                let rate = job.description.frameRate * Double(job.description.step)
                return job.timing.disregarded(rate: rate, capture: capture)
            }
            let factor = String(format: "%.4g", slowdown)
            guard case .tagged = job.timing, let capture else { return "times divided by \(factor), as given" }
            let kind = slowdown > 1 ? "slow motion" : "a time lapse"
            let rate = String(format: "%.4g", capture)
            return
                "\(kind), recorded at \(rate) frames per second: times divided by \(factor) (--speed 1 keeps the file's)"
        }

        /// Whether the frames arrive in real time, from a camera or a stream.
        package var isLive: Bool { job.description.isLive }
        /// The number of frames that have arrived, been delivered and, for live sources, been dropped so far.
        public var tally: FrameTally { job.tally }

        /// Stops reading, from any task: the iterator throws CancellationError, and `tally` no longer changes.
        public func stop() { job.cancel() }

        /// Whether `part` may succeed: for files that state their length.
        package var canBeParted: Bool { job.canBeParted }

        /// Opens the file at a time in seconds from the first frame; blocks until the frame there is decoded.
        ///
        /// With `isStrict` the reader throws at the first defect: damage, irregular times, an early end. Otherwise it
        /// reports them if `isReported`. Throws `unreadableInput` if the file cannot be read from its middle.
        package func part(from time: TimeInterval, isStrict: Bool, isReported: Bool) throws -> PartReader {
            try job.open(PartStart(time: time, isStrict: isStrict), isReported: isReported && !isStrict)
        }

        /// The times in seconds at which decoding can begin, increasing; empty if they are unknown.
        package func keyTimes() async -> [TimeInterval] {
            if let known = job.description.keyTimes { return known }
            let times = try? await Promise.onThread("kinema.open") {
                try part(from: 0, isStrict: true, isReported: false).keyTimes
            }
            return times ?? []
        }

        /// Frames at some shares of a file's length, without reading the rest; empty for other inputs.
        package func sample(at shares: [Double]) async -> [VideoFrame] {
            guard canBeParted else { return [] }
            let frames = try? await Promise.onThread("kinema.survey") {
                shares.compactMap { try? part(from: $0 * duration, isStrict: true, isReported: false).next() }
            }
            return frames ?? []
        }

        package func report(_ diagnostics: [Diagnostic]) { diagnostics.forEach(job.report) }

        /// Starts reading; a second iterator of the same sequence throws at its first element.
        public func makeAsyncIterator() -> Iterator { Iterator(job.start() ? Lease(job) : nil) }

        /// Delivers the frames in order.
        public struct Iterator: AsyncIteratorProtocol {
            private let lease: Lease?

            fileprivate init(_ lease: Lease?) { self.lease = lease }

            /// The next frame, or nil after the last one; throws `KinemaError` and CancellationError.
            public mutating func next() async throws -> TemporalFeature<VideoFrame>? {
                guard let lease else {
                    throw KinemaError(.invalidArgument, "the frames have already been iterated; read the file again")
                }
                guard let frame = try await lease.job.next() else { return nil }
                return TemporalFeature(id: frame.id, feature: frame)
            }
        }
    }
}

/// Ends the decoding when the last copy of the iterator is gone.
private final class Lease: Sendable {
    let job: DecodingJob

    init(_ job: DecodingJob) { self.job = job }

    deinit { job.cancel() }
}
