import KinemaCore
import KinemaMedia
import KinemaVision

/// A frame of a part, without its picture: unsmoothed people, numbered by the part's own tracker.
struct PartFrame: Sendable {
    var posed: PosedFrame
    /// The number of cuts before it, in its part.
    var shot: Int
    var cameraMotion: SimilarityTransform?
    /// The people first numbered in this frame.
    var newcomers: PersonMemory

    var start: Int { posed.frame.id.range.lowerBound }
    var end: Int { posed.frame.id.range.upperBound }
}
