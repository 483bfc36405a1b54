internal import Synchronization
public import KinemaCore

extension VideoReader {
    /// The frames of a camera as they come; can be iterated once.
    public struct CameraAsyncBuffers: TemporalSequence, Sendable {
        /// A picture with its time.
        public typealias Feature = VideoFrame
        /// A frame with its stretch of the stream.
        public typealias Element = TemporalFeature<VideoFrame>

        private let makeIterator: @Sendable () -> AnyTemporalSequence<VideoFrame>.AsyncIterator
        private let isTaken = TakenOnce()

        /// Makes the frames of a camera of any source of frames.
        package init<S>(_ frames: S) where S: TemporalSequence & Sendable, S.Feature == VideoFrame {
            makeIterator = { AnyTemporalSequence(frames).makeAsyncIterator() }
        }

        /// Always nil: a camera has no end.
        public var count: Int? { nil }

        /// Starts reading; a second iterator of the same sequence throws at its first element.
        public func makeAsyncIterator() -> Iterator {
            Iterator(isTaken.take() ? makeIterator() : nil)
        }

        /// Delivers the frames in order.
        public final class Iterator: AsyncIteratorProtocol {
            private var base: AnyTemporalSequence<VideoFrame>.AsyncIterator?

            fileprivate init(_ base: AnyTemporalSequence<VideoFrame>.AsyncIterator?) {
                self.base = base
            }

            /// The next frame; nil when the camera is gone.
            ///
            /// Throws `KinemaError` when the camera fails or is iterated twice, and CancellationError.
            public func next() async throws -> TemporalFeature<VideoFrame>? {
                guard var base else {
                    throw KinemaError(.invalidArgument, "The camera's frames were iterated already; read it again.")
                }
                let frame = try await base.next()
                self.base = base
                return frame
            }
        }
    }

    /// Opens a camera and keeps only its newest frame for a reader that is behind.
    ///
    /// A camera that is unplugged is waited for. Throws `KinemaError` with code `unreadableInput` when there is no such
    /// camera, it is in use or may not be opened.
    public static func readCamera(configuration: CameraConfiguration) async throws -> CameraAsyncBuffers {
        CameraAsyncBuffers(try await read(.camera(configuration)))
    }
}

/// Says yes to the first who asks.
private final class TakenOnce: Sendable {
    private let isTaken = Mutex(false)

    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }
}
