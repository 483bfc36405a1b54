public import Foundation
public import KinemaCore

/// The translation of a frame's content since the previous frame, with Vision's names.
public struct ImageTranslationAlignmentObservation: VisionObservation {
    /// The unique identifier of the observation.
    public let uuid: UUID
    /// The confidence, 0...1: near 1 for the same scene, near 0 after a cut, for a blank image or for stripes.
    public let confidence: Float
    /// The time that the frame covers, from the stream's first frame; nil for a single image.
    public let timeRange: CMTimeRange?
    /// The request that made the observation.
    public let originatingRequestDescriptor: RequestDescriptor?
    /// The transform from the previous frame to this one: a translation by `tx` pixels to the right and `ty` upwards.
    public let alignmentTransform: CGAffineTransform

    init(
        alignmentTransform: CGAffineTransform, confidence: Float, timeRange: CMTimeRange?,
        from request: RequestDescriptor
    ) {
        uuid = UUID()
        (self.alignmentTransform, self.confidence, self.timeRange) = (alignmentTransform, confidence, timeRange)
        originatingRequestDescriptor = request
    }
}
