public import Foundation

/// A detected face, with Vision's names; angles of the head and landmarks are not found.
public struct FaceObservation: VisionObservation {
    /// A unique identifier, by which observations are compared, and the probability that there is a face, 0...1.
    public let uuid: UUID, confidence: Float
    /// The picture's time range from the stream's first frame, nil outside a stream, and the request; nil without one.
    public let timeRange: CMTimeRange?, originatingRequestDescriptor: RequestDescriptor?
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
