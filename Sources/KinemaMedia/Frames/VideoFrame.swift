public import Foundation
public import KinemaCore

/// One frame of a video, or a still image, in the decoder's pixel format; immutable and copied only by `bitmap()`.
public final class VideoFrame: Sendable {
    /// The time range within the stream, in ticks from its first frame; 0..<1 at 1 tick a second for still images.
    public let id: TemporalSegmentIdentifier
    /// Columns as displayed, after rotation metadata or EXIF orientation.
    public let width: Int
    /// Rows as displayed, after rotation metadata or EXIF orientation.
    public let height: Int

    /// The time of decoding or creation.
    package let arrival = ContinuousClock.now

    let content: Content

    enum Content: Sendable {
        case decoded(DecodedPicture)
        case bitmap(Bitmap)
        /// No picture; black if one is requested.
        case missing
    }

    /// The presentation time, in seconds from the stream's first frame.
    public var time: TimeInterval { id.rangeInSeconds.lowerBound }

    /// Creates a frame from a rendered bitmap.
    public init(bitmap: Bitmap, id: TemporalSegmentIdentifier) {
        self.id = id
        width = bitmap.width
        height = bitmap.height
        content = .bitmap(bitmap)
    }

    /// Makes a frame without a picture, for poses that were found earlier.
    package init(width: Int, height: Int, id: TemporalSegmentIdentifier) {
        precondition(width > 0 && height > 0, "a frame has at least one pixel")
        (self.id, self.width, self.height) = (id, width, height)
        content = .missing
    }

    package init(_ frame: VideoFrame, id: TemporalSegmentIdentifier) {
        (width, height, content) = (frame.width, frame.height, frame.content)
        self.id = id
    }

    init(_ picture: DecodedPicture, id: TemporalSegmentIdentifier) {
        self.id = id
        width = picture.width
        height = picture.height
        content = .decoded(picture)
    }

    /// A new upright copy of the frame in blue, green, red, alpha (premultiplied); throws when out of memory.
    public func bitmap() throws -> Bitmap {
        switch content {
        case .bitmap(let bitmap): bitmap
        case .decoded(let picture): try picture.bitmap()
        case .missing: Bitmap(width: width, height: height)
        }
    }

    /// The upright picture stretched to a size in pixels; throws when out of memory.
    package func bitmap(width: Int, height: Int) throws -> Bitmap {
        let bitmap = try bitmap()
        guard bitmap.width != width || bitmap.height != height else { return bitmap }
        return try bitmap.stretched(width: width, height: height)
    }

    /// Reads the samples in place; the planes are valid only inside `body`.
    package func withPlanes<R, E: Error>(_ body: (borrowing FramePlanes) throws(E) -> R) throws(E) -> R {
        switch content {
        case .bitmap(let bitmap): try bitmap.withPlanes(body)
        case .decoded(let picture): try picture.withPlanes(body)
        case .missing: try Bitmap(width: width, height: height).withPlanes(body)
        }
    }
}
