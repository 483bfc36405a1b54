public import Foundation
public import KinemaCore
public import KinemaMedia

/// How the stored rows and columns of a picture have to be turned to stand upright; numbers as in EXIF.
public enum CGImagePropertyOrientation: UInt32, Sendable, Hashable, CaseIterable, Codable {
    /// Stored as shown.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// Turned by 180 degrees.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// Mirrored left to right, then turned by 90 degrees counterclockwise.
    case leftMirrored = 5
    /// Needs a turn by 90 degrees clockwise.
    case right = 6
    /// Mirrored left to right, then turned by 90 degrees clockwise.
    case rightMirrored = 7
    /// Needs a turn by 90 degrees counterclockwise.
    case left = 8

    var exif: ImageReader.Orientation { ImageReader.Orientation(exif: Int(rawValue)) ?? .upright }
}

extension ImageProcessingRequest {
    /// Answers for a picture in a file.
    ///
    /// `orientation` replaces the file's own EXIF orientation. Throws `.unreadableInput` when the file is not a picture
    /// that can be read.
    public func perform(on url: URL, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
        try await perform(on: ImageReader.read(contentsOf: url, orientation: orientation?.exif))
    }

    /// Answers for a picture file's bytes: JPEG, PNG, WebP and whatever else this FFmpeg decodes.
    ///
    /// `orientation` replaces the picture's own EXIF orientation. Throws `.unreadableInput` when the bytes are not a
    /// picture.
    public func perform(on data: Data, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
        try await perform(on: ImageReader.read(data, orientation: orientation?.exif))
    }

    /// Answers for a picture in memory, which `orientation` turns upright first.
    public func perform(on bitmap: Bitmap, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
        let id = TemporalSegmentIdentifier(source: "memory", range: 0..<1, timescale: 1)
        return try await perform(on: VideoFrame(bitmap: bitmap, id: id), orientation: orientation)
    }

    /// Answers for a frame, which `orientation` turns upright first. Frames that a `VideoReader` gives are upright.
    public func perform(on frame: VideoFrame, orientation: CGImagePropertyOrientation?) async throws -> Result {
        try await perform(on: orientation.map { try frame.oriented($0.exif) } ?? frame)
    }
}

/// Answers several requests about one picture, which is decoded once.
public struct ImageRequestHandler: Sendable {
    private let decode: @Sendable () throws -> VideoFrame

    /// A picture in a file; `orientation` replaces its own EXIF orientation.
    public init(_ url: URL, orientation: CGImagePropertyOrientation? = nil) {
        self.init { try ImageReader.read(contentsOf: url, orientation: orientation?.exif) }
    }

    /// A picture file's bytes; `orientation` replaces the picture's own EXIF orientation.
    public init(_ data: Data, orientation: CGImagePropertyOrientation? = nil) {
        self.init { try ImageReader.read(data, orientation: orientation?.exif) }
    }

    /// A picture in memory, which `orientation` turns upright.
    public init(_ bitmap: Bitmap, orientation: CGImagePropertyOrientation? = nil) {
        let id = TemporalSegmentIdentifier(source: "memory", range: 0..<1, timescale: 1)
        self.init(VideoFrame(bitmap: bitmap, id: id), orientation: orientation)
    }

    /// A frame, which `orientation` turns upright.
    public init(_ frame: VideoFrame, orientation: CGImagePropertyOrientation? = nil) {
        self.init { try orientation.map { try frame.oriented($0.exif) } ?? frame }
    }

    private init(_ decode: @escaping @Sendable () throws -> VideoFrame) { self.decode = decode }

    /// The requests' answers, in their order.
    ///
    /// Throws `.unreadableInput` when the picture cannot be read, and what the first request that fails throws.
    public func perform<each Request: ImageProcessingRequest>(
        _ request: repeat each Request
    ) async throws -> (repeat (each Request).Result) {
        let frame = try decode()
        return (repeat try await (each request).perform(on: frame))
    }
}
