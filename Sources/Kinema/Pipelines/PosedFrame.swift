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

    package init(frame: VideoFrame, poses: [Pose], hands: [HumanHandPoseObservation]) {
        (self.frame, self.poses, self.hands) = (frame, poses, hands)
    }
}
