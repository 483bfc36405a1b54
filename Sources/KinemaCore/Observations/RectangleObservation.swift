public import Foundation

/// Four corners in an image, with Vision's names.
public struct RectangleObservation: VisionObservation {
    /// A unique identifier, by which observations are compared, and the confidence in the corners, 0...1.
    public let uuid: UUID, confidence: Float
    /// Always nil: rectangles are computed from other observations.
    public var timeRange: CMTimeRange? { nil }
    /// Always nil: rectangles are computed from other observations.
    public var originatingRequestDescriptor: RequestDescriptor? { nil }
    /// The corners, normalised, origin at the lower left; named as when the rectangle is turned as upright as possible.
    public let topLeft, topRight, bottomRight, bottomLeft: NormalizedPoint

    package init(
        topLeft: NormalizedPoint, topRight: NormalizedPoint, bottomRight: NormalizedPoint,
        bottomLeft: NormalizedPoint, confidence: Float = 1
    ) {
        (uuid, self.confidence) = (UUID(), confidence)
        (self.topLeft, self.topRight, self.bottomRight, self.bottomLeft) = (topLeft, topRight, bottomRight, bottomLeft)
    }

    /// The smallest upright rectangle around the corners.
    public var boundingBox: NormalizedRect {
        NormalizedRect(around: [topLeft, topRight, bottomRight, bottomLeft].map(\.cgPoint))
    }
}
