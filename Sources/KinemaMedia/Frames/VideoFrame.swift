public import Foundation
public import KinemaCore
package import Synchronization

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
        /// Samples that their creator may still write.
        case samples(PixelSamples)
        /// No picture; black if one is requested.
        case missing
    }

    /// The samples at an address, for code that locks a pixel buffer.
    package let addressed = Mutex<PixelSamples?>(nil)

    /// The samples that the frame was made of; nil for a decoded picture.
    package var ownSamples: PixelSamples? { if case .samples(let samples) = content { samples } else { nil } }

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

    /// Makes a frame of samples that are read anew whenever the picture is.
    package init(_ samples: PixelSamples, id: TemporalSegmentIdentifier) {
        (self.id, width, height, content) = (id, samples.width, samples.height, .samples(samples))
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
        case .samples(let samples): samples.bitmap
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
        case .samples(let samples): try samples.bitmap.withPlanes(body)
        case .missing: try Bitmap(width: width, height: height).withPlanes(body)
        }
    }
}

/// Maps displayed pixels to stored ones: integer columns and rows from the top left.
package struct PixelMap: Hashable, Sendable {
    package var xx: Int
    package var xy: Int
    package var x0: Int
    package var yx: Int
    package var yy: Int
    package var y0: Int

    package func stored(x: Int, y: Int) -> (x: Int, y: Int) { (xx * x + xy * y + x0, yx * x + yy * y + y0) }
}

extension PixelMap {
    /// The stored position of a displayed one; pixel centres have integer coordinates.
    package func stored(_ point: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(
            Double(xx) * point.x + Double(xy) * point.y + Double(x0),
            Double(yx) * point.x + Double(yy) * point.y + Double(y0))
    }
}

/// The width of a stored pixel divided by its height; 1 for square pixels.
struct PixelAspect: Hashable, Sendable {
    private let ratio: Double

    static let square = PixelAspect(1)

    /// Ratios too small to see, and those beyond any standard (ITU-T H.264, table E-1: at most 2:1), count as square.
    private init(_ ratio: Double) {
        let isSensible = (0.25...4).contains(ratio) && !(0.99...1.01).contains(ratio)
        self.ratio = isSensible ? ratio : 1
    }

    /// The container's ratio, or else the video's own, as players decide.
    init(container: Rational, frame: FrameHandle) {
        self.init(container.value > 0 ? container.value : frame.pixelAspect.value)
    }

    var isSquare: Bool { ratio == 1 }

    /// The size in square pixels that displays the same; neither side shrinks.
    func squareSize(width: Int, height: Int) -> (width: Int, height: Int) {
        ratio > 1
            ? (Int((Double(width) * ratio).rounded()), height) : (width, Int((Double(height) / ratio).rounded()))
    }
}

/// The rotation and mirroring that turn a stored picture upright: one of the eight EXIF orientations.
package struct PixelOrientation: Hashable, Sendable {
    /// Whether displayed columns run along stored rows.
    package var transposed: Bool
    /// Whether the stored columns are read from right to left.
    package var flipsStoredX: Bool
    /// Whether the stored rows are read from bottom to top.
    package var flipsStoredY: Bool

    package static let upright = PixelOrientation(transposed: false, flipsStoredX: false, flipsStoredY: false)

    package init(transposed: Bool, flipsStoredX: Bool, flipsStoredY: Bool) {
        (self.transposed, self.flipsStoredX, self.flipsStoredY) = (transposed, flipsStoredX, flipsStoredY)
    }

    /// The meaning of EXIF's Orientation tag (Exif 2.32, tag 274); nil for numbers outside 1...8.
    package init?(exif: Int) {
        guard (1...8).contains(exif) else { return nil }
        self.init(
            transposed: exif > 4, flipsStoredX: [2, 3, 7, 8].contains(exif), flipsStoredY: [3, 4, 6, 7].contains(exif))
    }

    /// The quarter turn closest to a container's display matrix (ISO/IEC 14496-12, 8.3.2: x' = ax + cy, y' = bx + dy).
    /// `matrix` holds a, b, u, c, d, v, x, y, w; fewer numbers, or all zeros, mean upright.
    package init(displayMatrix matrix: [Int32]) {
        guard matrix.count >= 5 else {
            self = .upright
            return
        }
        let (a, b, c, d) = (matrix[0], matrix[1], matrix[3], matrix[4])
        let transposed = a.magnitude < b.magnitude || d.magnitude < c.magnitude
        self.init(
            transposed: transposed, flipsStoredX: (transposed ? b : a) < 0, flipsStoredY: (transposed ? c : d) < 0)
    }

    /// A clockwise turn by a multiple of 90 degrees and, after it, a swap of left and right.
    package init(degreesClockwise degrees: Int, mirrored: Bool = false) {
        let turns = degrees / 90 & 3
        self.init(transposed: turns & 1 == 1, flipsStoredX: turns >= 2, flipsStoredY: turns == 1 || turns == 2)
        guard mirrored else { return }
        self = followed(by: PixelOrientation(transposed: false, flipsStoredX: true, flipsStoredY: false))
    }

    /// This orientation followed by another one.
    func followed(by next: PixelOrientation) -> PixelOrientation {
        PixelOrientation(
            transposed: transposed != next.transposed,
            flipsStoredX: flipsStoredX != (transposed ? next.flipsStoredY : next.flipsStoredX),
            flipsStoredY: flipsStoredY != (transposed ? next.flipsStoredX : next.flipsStoredY))
    }

    package func map(storedWidth: Int, storedHeight: Int) -> PixelMap {
        let stepX = flipsStoredX ? -1 : 1
        let stepY = flipsStoredY ? -1 : 1
        return PixelMap(
            xx: transposed ? 0 : stepX, xy: transposed ? stepX : 0, x0: flipsStoredX ? storedWidth - 1 : 0,
            yx: transposed ? stepY : 0, yy: transposed ? 0 : stepY, y0: flipsStoredY ? storedHeight - 1 : 0)
    }
}

/// A frame and the poses in it.
public struct PosedFrame: Sendable {
    /// The video frame.
    public let frame: VideoFrame
    /// Everyone in it; empty if nobody is in view.
    public let poses: [Pose]
    /// The hands in it, if the pipeline detects them.
    public let hands: [HumanHandPoseObservation]

    /// Whether the poses were found in this frame; otherwise they lie between those of the frames around it, to draw.
    package let isAnalysed: Bool

    package init(
        frame: VideoFrame, poses: [Pose], hands: [HumanHandPoseObservation], isAnalysed: Bool = true
    ) {
        (self.frame, self.poses, self.hands, self.isAnalysed) = (frame, poses, hands, isAnalysed)
    }
}
