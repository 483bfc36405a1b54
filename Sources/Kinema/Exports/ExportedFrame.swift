public import Foundation
public import KinemaCore

/// A frame to export: its poses, time and size.
public struct ExportedFrame: Sendable {
    /// The frame's number, from 0.
    package var index: Int
    /// Seconds from the first frame.
    package var time: TimeInterval
    /// The frame's size in pixels, as displayed.
    package var width: Int, height: Int
    /// Everyone in the frame.
    package var poses: [Pose]
    /// The hands in the frame.
    package var hands: [HumanHandPoseObservation]

    /// Creates a frame for export from its number, time in seconds, size in pixels, poses and hands.
    public init(
        index: Int, time: TimeInterval, width: Int, height: Int, poses: [Pose], hands: [HumanHandPoseObservation] = []
    ) {
        (self.index, self.time, self.width, self.height) = (index, time, width, height)
        (self.poses, self.hands) = (poses, hands)
    }
}
