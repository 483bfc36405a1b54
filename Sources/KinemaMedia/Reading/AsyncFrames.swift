public import Foundation
public import KinemaCore

extension VideoReader {
    /// The frames of one video or picture, or of a camera or a stream, in time order; can be iterated once.
    ///
    /// Of a file no frame is lost: decoding waits for the consumer. Of a live source the newest frame is kept for a consumer
    /// that is behind, and `tally` counts the others. Cancelling the task, or letting go of the iterator, ends the decoding.
    public struct AsyncFrames: TemporalSequence, Sendable {
        /// A picture with its time.
        public typealias Feature = VideoFrame
        /// A frame with its stretch of the stream.
        public typealias Element = TemporalFeature<VideoFrame>

        let job: DecodingJob

        init(_ job: DecodingJob) {
            self.job = job
        }

        /// Always nil: how many frames decode is known only at the end.
        public var count: Int? { nil }
        /// Columns and rows as displayed, in pixels.
        public var frameSize: CGSize { CGSize(width: job.description.width, height: job.description.height) }
        /// Frames a second as the file states them; 0 when it does not, and of pictures.
        public var nominalFrameRate: Float { Float(job.description.frameRate) }
        /// Ticks a second in the frames' identifiers.
        public var timescale: Int { job.description.timescale }
        /// The file; `/dev/stdin` for standard input; the device of a camera; the address of a stream without what is secret
        /// in it.
        public var url: URL { job.description.input.url }
        /// The length in seconds as the file states it; 0 when it does not.
        public var videoDuration: TimeInterval { job.description.duration }
        /// About how many frames will come, for progress bars.
        package var expectedFrameCount: Int? { job.description.expectedFrameCount }

        /// Whether the frames come in their own time, from a camera or a stream.
        public var isLive: Bool { job.description.isLive }
        /// How many frames came so far, were handed over, and were dropped, the last only of live sources.
        public var tally: FrameTally { job.tally }

        /// Ends the reading from anywhere: whoever iterates gets CancellationError, and `tally` changes no more.
        public func stop() {
            job.cancel()
        }

        /// Frames the decoder has given so far, for watching how far ahead it is.
        var framesSent: Int { job.framesSent }

        /// Starts reading; a second iterator of the same sequence throws at its first element.
        public func makeAsyncIterator() -> Iterator {
            Iterator(job.start() ? Lease(job) : nil)
        }

        /// Delivers the frames in order.
        public struct Iterator: AsyncIteratorProtocol {
            private let lease: Lease?

            fileprivate init(_ lease: Lease?) {
                self.lease = lease
            }

            /// The next frame, or nil after the last one.
            ///
            /// Throws `KinemaError` when the input becomes unreadable or is iterated twice, and CancellationError.
            public mutating func next() async throws -> TemporalFeature<VideoFrame>? {
                guard let lease else {
                    throw KinemaError(.invalidArgument, "the frames were iterated already; read the file again")
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

    init(_ job: DecodingJob) {
        self.job = job
    }

    deinit {
        job.cancel()
    }
}
