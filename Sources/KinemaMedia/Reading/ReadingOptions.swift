public import Foundation
import KinemaCore

struct ReadingOptions: Sendable {
    /// Frames decoded before they are requested, besides the two of a decoder process; none for live sources.
    var framesAhead = 2
    var decodingThreads = 1
    var limits = ReadingLimits()
    var live = LiveOptions()
    var isolation = DecoderIsolation.none
    /// How to turn the frames, after their own orientation.
    var orientation = PixelOrientation.upright
    /// The frames that are analysed.
    var selection = FrameSelection.all
    /// Whether a file's other frames are delivered as well.
    var keepsSkipped = false
    /// How the times of a file become seconds of what was filmed.
    var timing = FrameTiming.tagged
    /// The position in the file at which to begin; nil to read all of it.
    var part: PartStart?
    /// The memory for a decoder process's pictures; nil for its own.
    var memory: SharedPictureMemory?
    /// The input's descriptors, in a decoder process; nil to open it.
    var given: GivenFile?
    /// A decoder process's access to a stream; nil for the network.
    var gate: GateClient?
    var diagnostics: DiagnosticCollector?
    /// Called when the state of a live source's connection changes.
    var onState: (@Sendable (ConnectionState) -> Void)?

    /// The options for a reader of all frames that are delivered.
    var delivering: ReadingOptions {
        var options = self
        if keepsSkipped { options.selection = .all }
        return options
    }
}

/// The timeouts of a camera or a stream, and the length of the run.
public struct LiveOptions: Hashable, Sendable, Codable {
    /// The timeout of the first connection, including name lookup, handshake and login.
    public var connectionTimeout = Duration.seconds(10)
    /// The silence after which the connection counts as lost; longer than HLS segments, commonly 6 s.
    public var silenceTimeout = Duration.seconds(8)
    /// The time without a change after which the picture counts as frozen; nil for no limit. It doubles after each
    /// reconnection without a change.
    package var frozenTimeout: Duration? = .seconds(15)
    /// The longest pause between two attempts to reconnect; the first pause is a quarter of it.
    package var longestPause = Duration.seconds(1)
    /// The time to try to reconnect before reading fails; nil for no limit.
    public var givesUpAfter: Duration?
    /// The length of the run from its first frame; nil to read until the caller stops.
    public var duration: Duration?

    /// Allows 10 s for the first connection and 8 s between frames, and reconnects without limit.
    public init() {}
}

struct PartStart: Codable, Hashable, Sendable {
    /// Seconds from the file's first frame; earlier frames are not delivered.
    var time: Double
    /// Whether any defect ends the reading with an error, so that the file is read in one piece.
    var isStrict: Bool
}

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
