public import Foundation
public import KinemaCore

/// A frame to export: its poses, time and size.
public struct ExportedFrame: Sendable {
    /// The frame's number, from 0.
    public var index: Int
    /// Seconds from the first frame.
    public var time: TimeInterval
    /// The frame's size in pixels, as displayed.
    public var width: Int, height: Int
    /// Everyone in the frame.
    public var poses: [Pose]
    /// The hands in the frame.
    public var hands: [HumanHandPoseObservation]

    /// Creates a frame for export from its number, time in seconds, size in pixels, poses and hands.
    public init(
        index: Int, time: TimeInterval, width: Int, height: Int, poses: [Pose], hands: [HumanHandPoseObservation] = []
    ) {
        self.index = index
        self.time = time
        self.width = width
        self.height = height
        self.poses = poses
        self.hands = hands
    }
}
