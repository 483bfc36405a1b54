public import Foundation
public import KinemaCore

/// One picture of a video, or a picture by itself, in the decoder's own pixel format.
///
/// Immutable and cheap to pass on: the samples are never copied until `bitmap()` is called.
public final class VideoFrame: Sendable {
    /// Which stretch of which stream: ticks counted from the stream's first frame; 0..<1 at 1 tick a second for
    /// pictures.
    public let id: TemporalSegmentIdentifier
    /// Columns as displayed, after rotation metadata or EXIF orientation.
    public let width: Int
    /// Rows as displayed, after rotation metadata or EXIF orientation.
    public let height: Int

    let content: Content

    /// Where the samples are.
    enum Content: Sendable {
        case decoded(DecodedPicture)
        case bitmap(Bitmap)
    }

    /// When the frame is shown, in seconds from the stream's first frame.
    public var time: TimeInterval { id.rangeInSeconds.lowerBound }

    /// Makes a frame from a picture that a program drew.
    public init(bitmap: Bitmap, id: TemporalSegmentIdentifier) {
        self.id = id
        width = bitmap.width
        height = bitmap.height
        content = .bitmap(bitmap)
    }

    init(_ picture: DecodedPicture, id: TemporalSegmentIdentifier) {
        self.id = id
        width = picture.width
        height = picture.height
        content = .decoded(picture)
    }

    /// The picture upright in blue, green, red, alpha (premultiplied); made anew at every call.
    ///
    /// Throws when there is no memory for it.
    public func bitmap() throws -> Bitmap {
        switch content {
        case .bitmap(let bitmap): bitmap
        case .decoded(let picture): try picture.bitmap()
        }
    }

    /// The picture upright, stretched to a size in pixels: for a video whose frames change their size midway.
    ///
    /// Throws when there is no memory for it.
    package func bitmap(width: Int, height: Int) throws -> Bitmap {
        let bitmap = try bitmap()
        guard bitmap.width != width || bitmap.height != height else { return bitmap }
        return try bitmap.stretched(width: width, height: height)
    }

    /// Reads the samples where they are; the planes are valid only inside `body`.
    package func withPlanes<R, E: Error>(_ body: (borrowing FramePlanes) throws(E) -> R) throws(E) -> R {
        switch content {
        case .bitmap(let bitmap): try bitmap.withPlanes(body)
        case .decoded(let picture): try picture.withPlanes(body)
        }
    }
}
