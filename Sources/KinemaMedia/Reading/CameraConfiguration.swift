public import Foundation

extension VideoReader {
    /// Which camera to read and how.
    public struct CameraConfiguration: Hashable, Sendable {
        /// Which of a machine's cameras: the first is the front one, the second, where there is one, the back one.
        public enum Position: String, Hashable, Sendable, CaseIterable, Codable {
            /// Towards the person who uses the device.
            case front
            /// Away from the person who uses the device.
            case back
        }

        /// How a frame's samples lie in memory; frames are converted on demand, so any choice reads the same.
        public enum PixelFormat: String, Hashable, Sendable, CaseIterable, Codable {
            /// Blue, green, red, alpha, 8 bits each.
            case bgra32
            /// Luma and colour in two planes, 8 bits, full range, 4:2:0.
            case yCbCr8BiPlanarFullRange420
        }

        /// How large the frames are.
        public enum Resolution: String, Hashable, Sendable, CaseIterable, Codable {
            /// The largest the camera gives at the frame rate.
            case high
            /// About half of that.
            case medium
            /// The smallest.
            case low
        }

        /// Which camera.
        public var position: Position
        /// How a frame's samples lie in memory.
        public var pixelFormat: PixelFormat
        /// How large the frames are.
        public var resolution: Resolution
        /// Frames a second to ask the camera for.
        public var frameRate: Double
        /// The camera by its device, such as `/dev/video2`, in place of `position`; nil leaves the choice to that.
        ///
        /// `lavfi:` and a filter of FFmpeg's, such as `lavfi:testsrc2=size=640x480:rate=30` or `lavfi:movie=film.mp4`, stands in
        /// for a camera and is played in real time. Such a name can read any file: take none from strangers.
        public var device: String?
        /// Columns and rows to ask the camera for, in place of `resolution`; the nearest that it has are taken.
        public var frameSize: CGSize?

        /// The front camera, high resolution, 30 frames a second.
        public init() {
            self.init(position: .front)
        }

        /// Chooses a camera, by position or device, its pixel format, resolution or size in pixels, and frames a second.
        public init(
            position: Position = .front, pixelFormat: PixelFormat = .bgra32, resolution: Resolution = .high,
            frameRate: Double = 30.0, device: String? = nil, frameSize: CGSize? = nil
        ) {
            self.position = position
            self.pixelFormat = pixelFormat
            self.resolution = resolution
            self.frameRate = frameRate
            self.device = device
            self.frameSize = frameSize
        }

        /// Which camera; the older name of `position`.
        public var cameraPosition: Position {
            get { position }
            set { position = newValue }
        }
    }
}
