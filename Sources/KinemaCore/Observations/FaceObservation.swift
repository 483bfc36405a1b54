public import Foundation

/// A detected face, with Vision's names.
public struct FaceObservation: VisionObservation {
    /// A unique identifier; two observations are equal if they have the same one.
    public let uuid: UUID
    /// The probability that there is a face, 0...1.
    public let confidence: Float
    /// The picture's time range from the stream's first frame; nil outside a stream.
    public let timeRange: CMTimeRange?
    /// The request that made the observation; nil if no request did.
    public let originatingRequestDescriptor: RequestDescriptor?
    /// The face from the brows to the chin, 0...1 of the region of interest, origin at the lower left.
    public let boundingBox: NormalizedRect

    /// Makes an observation of a rectangle, of which the part within the picture counts.
    package init?(
        _ box: NormalizedRect, confidence: Float, timeRange: CMTimeRange? = nil, from request: RequestDescriptor? = nil
    ) {
        let visible = box.cgRect.intersection(NormalizedRect.fullImage.cgRect)
        guard !visible.isNull, !visible.isEmpty else { return nil }
        (uuid, self.confidence, self.timeRange) = (UUID(), confidence, timeRange)
        (originatingRequestDescriptor, boundingBox) = (request, NormalizedRect(normalizedRect: visible))
    }
}
