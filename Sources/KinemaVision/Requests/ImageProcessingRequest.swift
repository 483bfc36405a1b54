public import Foundation
public import KinemaCore
public import KinemaMedia

/// A question about one picture, as Vision's Swift-only API asks it.
public protocol ImageProcessingRequest: Sendable, Hashable {
    /// The answer.
    associatedtype Result: Sendable

    /// The part of the picture that is looked at: 0...1, origin at the lower left.
    var regionOfInterest: NormalizedRect { get set }

    /// Answers for a frame.
    ///
    /// Throws `.missingComponent` when the inference library or a model is not installed.
    func perform(on frame: VideoFrame) async throws -> Result
}

extension ImageProcessingRequest {
    /// Answers for a picture in a file; its EXIF orientation is applied.
    ///
    /// Throws `.unreadableInput` when the file is not a picture that can be read.
    public func perform(on url: URL) async throws -> Result {
        try await perform(on: ImageReader.read(contentsOf: url))
    }

    /// Answers for a picture in memory.
    public func perform(on bitmap: Bitmap) async throws -> Result {
        let id = TemporalSegmentIdentifier(source: "memory", range: 0..<1, timescale: 1)
        return try await perform(on: VideoFrame(bitmap: bitmap, id: id))
    }
}
