public import Foundation

extension VideoReader {
    /// The camera to read, and its settings.
    public struct CameraConfiguration: Hashable, Sendable {
        /// A camera by position: a machine's first camera is the front one, its second the back one.
        public enum Position: String, Hashable, Sendable, CaseIterable, Codable {
            /// Towards the person who uses the device.
            case front
            /// Away from the person who uses the device.
            case back
        }

        /// The memory layout of a frame's samples. Frames are converted on demand, so every choice reads the same.
        public enum PixelFormat: String, Hashable, Sendable, CaseIterable, Codable {
            /// Blue, green, red, alpha, 8 bits each.
            case bgra32
            /// Luma and chroma in two planes, 8 bits, full range, 4:2:0.
            case yCbCr8BiPlanarFullRange420
        }

        /// The size of the frames.
        public enum Resolution: String, Hashable, Sendable, CaseIterable, Codable {
            /// The largest size the camera reaches at the frame rate.
            case high
            /// About half that size.
            case medium
            /// The smallest.
            case low
        }

        /// The camera.
        public var position: Position
        /// The memory layout of a frame's samples.
        public var pixelFormat: PixelFormat
        /// The size of the frames.
        public var resolution: Resolution
        /// The frame rate to request, in frames a second.
        public var frameRate: Double
        /// The camera's device, such as `/dev/video2`; nil to choose by `position`.
        ///
        /// `lavfi:` and an FFmpeg filter, such as `lavfi:testsrc2=size=640x480:rate=30` or `lavfi:movie=film.mp4`, is a
        /// real-time test source. It can read any file, so never accept one from untrusted input.
        public var device: String?
        /// The columns and rows to request, instead of `resolution`; the camera's nearest size is used.
        public var frameSize: CGSize?

        /// Chooses a camera by position or device, its pixel format, its resolution or size in pixels, and its rate.
        public init(
            position: Position = .front, pixelFormat: PixelFormat = .bgra32, resolution: Resolution = .high,
            frameRate: Double = 30.0, device: String? = nil, frameSize: CGSize? = nil
        ) {
            (self.position, self.pixelFormat, self.resolution) = (position, pixelFormat, resolution)
            (self.frameRate, self.device, self.frameSize) = (frameRate, device, frameSize)
        }

        /// The older name of `position`.
        public var cameraPosition: Position {
            get { position }
            set { position = newValue }
        }
    }
}

extension VideoReader {
    /// The live frames of a camera; a slow reader gets only the newest. Can be iterated once.
    public typealias CameraAsyncBuffers = AsyncFrames

    /// Opens a camera; a slow reader gets only its newest frame.
    ///
    /// Throws `unreadableInput` when the camera is missing, in use or forbidden; waits for one that is unplugged.
    public static func readCamera(configuration: CameraConfiguration) async throws -> CameraAsyncBuffers {
        try await read(.camera(configuration))
    }
}
