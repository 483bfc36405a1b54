public import Foundation
public import KinemaCore

extension VideoReader {
    /// The frames of a camera as they come, the newest first for a reader that is behind; can be iterated once.
    public struct CameraAsyncBuffers: TemporalSequence, Sendable {
        /// A picture with its time.
        public typealias Feature = VideoFrame
        /// A frame with its stretch of the stream.
        public typealias Element = TemporalFeature<VideoFrame>

        private let frames: AsyncFrames

        init(_ frames: AsyncFrames) {
            self.frames = frames
        }

        /// Always nil: a camera has no end.
        public var count: Int? { nil }
        /// Columns and rows as displayed, in pixels.
        public var frameSize: CGSize { frames.frameSize }
        /// How many frames came so far, were handed over, and were dropped.
        public var tally: FrameTally { frames.tally }

        /// Starts reading; a second iterator of the same sequence throws at its first element.
        public func makeAsyncIterator() -> Iterator {
            Iterator(frames.makeAsyncIterator())
        }

        /// Delivers the frames in order.
        public final class Iterator: AsyncIteratorProtocol {
            private var base: AsyncFrames.Iterator

            fileprivate init(_ base: AsyncFrames.Iterator) {
                self.base = base
            }

            /// The next frame; nil when the camera is at its end, as only a stand-in for one is.
            ///
            /// Throws `KinemaError` when it is iterated twice, and CancellationError.
            public func next() async throws -> TemporalFeature<VideoFrame>? {
                try await base.next()
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
