public import KinemaCore
public import KinemaMedia

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
