public import Foundation
public import KinemaCore

/// Writes poses in a format for other programs.
public protocol PoseExport: Sendable {
    /// Adds the next frame; formats with one rate throw `.invalidArgument` for a time that does not increase.
    mutating func add(_ frame: ExportedFrame) throws
    /// Writes a complete file of the frames so far; throws `.unwritableOutput` when it cannot be written.
    consuming func finish() throws
}

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
        (self.index, self.time, self.width, self.height) = (index, time, width, height)
        (self.poses, self.hands) = (poses, hands)
    }
}
