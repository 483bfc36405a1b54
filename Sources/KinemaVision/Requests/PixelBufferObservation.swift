public import Foundation
public import KinemaCore

/// An image with one value per pixel, produced by an analysis, with Vision's names.
public struct PixelBufferObservation: VisionObservation {
    /// A unique identifier; two observations are equal if they have the same one.
    public let uuid: UUID
    /// Always 1: the mask's values are the confidence.
    public let confidence: Float
    /// The picture's time range from the stream's first frame; nil outside a stream.
    public let timeRange: CMTimeRange?
    /// The request that made the observation.
    public let originatingRequestDescriptor: RequestDescriptor?
    /// The values: 255 where a person is, 0 where nobody is, row by row from the top left.
    public let mask: PersonMask

    init(_ mask: PersonMask, timeRange: CMTimeRange?, from request: RequestDescriptor) {
        (uuid, confidence, self.timeRange, self.mask) = (UUID(), 1, timeRange, mask)
        originatingRequestDescriptor = request
    }

    /// Columns and rows.
    public var size: CGSize { CGSize(width: mask.width, height: mask.height) }

    /// The values as a grey image; it never throws here.
    public var cgImage: Bitmap { get throws { picture } }

    package var picture: Bitmap {
        Bitmap(width: mask.width, height: mask.height, pixels: mask.values.flatMap { [$0, $0, $0, 255] })
    }
}
