public import Foundation
public import KinemaCore
public import KinemaMedia

extension ImageProcessingRequest {
    /// Performs the request on an image file; `orientation` replaces the file's EXIF orientation.
    ///
    /// Throws `.unreadableInput` when the file cannot be decoded.
    public func perform(on url: URL, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
        try await perform(on: ImageReader.read(contentsOf: url, orientation: orientation?.exif))
    }

    /// Performs the request on an encoded image; `orientation` replaces its EXIF orientation.
    ///
    /// Throws `.unreadableInput` when the bytes cannot be decoded.
    public func perform(on data: Data, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
        try await perform(on: ImageReader.read(data, orientation: orientation?.exif))
    }

    /// Performs the request on an image in memory, which `orientation` turns upright first.
    public func perform(on bitmap: Bitmap, orientation: CGImagePropertyOrientation? = nil) async throws -> Result {
        try await perform(on: VideoFrame(bitmap: bitmap, id: .inMemory), orientation: orientation)
    }

    /// Performs the request on a frame, which `orientation` turns upright; frames of a `VideoReader` are upright.
    public func perform(on frame: VideoFrame, orientation: CGImagePropertyOrientation?) async throws -> Result {
        try await perform(on: orientation.map { try frame.oriented($0.exif) } ?? frame)
    }
}

/// Performs several requests on one image, which is decoded once.
public struct ImageRequestHandler: Sendable {
    package let decode: @Sendable () throws -> VideoFrame

    /// An image in a file; `orientation` replaces its own EXIF orientation.
    public init(_ url: URL, orientation: CGImagePropertyOrientation? = nil) {
        self.init { try ImageReader.read(contentsOf: url, orientation: orientation?.exif) }
    }

    /// An image file's bytes; `orientation` replaces the image's own EXIF orientation.
    public init(_ data: Data, orientation: CGImagePropertyOrientation? = nil) {
        self.init { try ImageReader.read(data, orientation: orientation?.exif) }
    }

    /// An image in memory, which `orientation` turns upright.
    public init(_ bitmap: Bitmap, orientation: CGImagePropertyOrientation? = nil) {
        self.init(VideoFrame(bitmap: bitmap, id: .inMemory), orientation: orientation)
    }

    /// A frame, which `orientation` turns upright.
    public init(_ frame: VideoFrame, orientation: CGImagePropertyOrientation? = nil) {
        self.init { try orientation.map { try frame.oriented($0.exif) } ?? frame }
    }

    private init(_ decode: @escaping @Sendable () throws -> VideoFrame) { self.decode = decode }

    /// The requests' results, in order; throws `.unreadableInput` and the first request's error.
    public func perform<each Request: ImageProcessingRequest>(
        _ request: repeat each Request
    ) async throws -> (repeat (each Request).Result) {
        let frame = try decode()
        return (repeat try await (each request).perform(on: frame))
    }

    /// Performs requests one after the other; each result follows as soon as it is known.
    ///
    /// A request that fails gives `.error` and does not stop those after it. Leaving the sequence cancels the rest.
    public func performAll(_ requests: some Collection<any VisionRequest>) -> some AsyncSequence<VisionResult, Never> {
        let (results, continuation) = AsyncStream.makeStream(of: VisionResult.self)
        let work = Task { [requests = Array(requests)] in
            let frame = Result { try decode() }
            for request in requests where !Task.isCancelled {
                switch frame {
                case .success(let frame): continuation.yield(await VisionResult(of: request, on: frame))
                case .failure(let error): continuation.yield(.error(request, error))
                }
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in work.cancel() }
        return results
    }
}

/// The rotation and mirroring that turn a stored image upright; numbers as in EXIF.
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

    package var exif: ImageReader.Orientation { ImageReader.Orientation(exif: Int(rawValue)) ?? .upright }
}
