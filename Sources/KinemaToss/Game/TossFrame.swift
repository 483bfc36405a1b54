public import Foundation
public import KinemaCore

/// A thing on a parabolic path, as far as it was seen by now.
public struct TossTrajectory: Sendable, Hashable {
    /// Where it was and when.
    public struct Spot: Sendable, Hashable {
        /// Seconds from the first frame.
        public var time: TimeInterval
        /// Normalised, origin at the lower left.
        public var point: CGPoint

        /// Makes a spot from a time in seconds and a normalised point (origin at the lower left).
        public init(time: TimeInterval, point: CGPoint) {
            self.time = time
            self.point = point
        }
    }

    /// The same for the trajectory's whole life.
    public var uuid: UUID
    /// In order of time.
    public var spots: [Spot]
    /// 0...1.
    public var confidence: Float

    /// Makes a trajectory; `spots` are in order of time.
    public init(uuid: UUID, spots: [Spot], confidence: Float) {
        self.uuid = uuid
        self.spots = spots
        self.confidence = confidence
    }
}

/// What was seen in one frame: all that the game goes by.
public struct TossFrame: Sendable {
    /// Seconds from the first frame.
    public var time: TimeInterval
    /// The board, when it was found in this frame.
    public var board: TossBoardPlace?
    /// Whether the camera stands still.
    public var isStable: Bool
    /// Everyone in the frame.
    public var poses: [Pose]
    /// The trajectories that this frame went on.
    public var trajectories: [TossTrajectory]
    /// The board and the ground around it, now and then; shows where bags come to lie.
    public var surroundings: BoardSurroundings?

    /// Makes a frame's findings; the time is in seconds from the first frame.
    public init(
        time: TimeInterval, board: TossBoardPlace? = nil, isStable: Bool = true, poses: [Pose] = [],
        trajectories: [TossTrajectory] = [], surroundings: BoardSurroundings? = nil
    ) {
        self.time = time
        self.board = board
        self.isStable = isStable
        self.poses = poses
        self.trajectories = trajectories
        self.surroundings = surroundings
    }
}
