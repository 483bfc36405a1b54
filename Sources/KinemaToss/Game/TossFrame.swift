public import Foundation
public import KinemaCore

/// An object on a parabolic path, as observed so far.
public struct TossTrajectory: Sendable, Hashable {
    /// A position and its time.
    public struct Sample: Sendable, Hashable {
        /// Seconds from the first frame.
        public var time: TimeInterval
        /// Normalised, origin at the lower left.
        public var point: CGPoint

        /// Makes a sample from a time in seconds and a normalised point (origin at the lower left).
        public init(time: TimeInterval, point: CGPoint) {
            self.time = time
            self.point = point
        }
    }

    /// An identifier that stays the same for the life of the trajectory.
    public var uuid: UUID
    /// The samples in order of time.
    public var samples: [Sample]
    /// The confidence, 0...1.
    public var confidence: Float

    /// Makes a trajectory; `samples` are in order of time.
    public init(uuid: UUID, samples: [Sample], confidence: Float) {
        self.uuid = uuid
        self.samples = samples
        self.confidence = confidence
    }
}

/// The observations of one frame, all that the game needs.
public struct TossFrame: Sendable {
    /// Seconds from the first frame.
    public var time: TimeInterval
    /// The board, if it is known.
    public var board: TossBoardObservation?
    /// Whether the camera has been seen to stand still.
    public var isStable: Bool
    /// Whether the camera has been seen to move; both are false until it was observed long enough.
    public var cameraMoves: Bool
    /// Whether a board fills so much of the picture that it is seen from above, or from too near for a game.
    public var isBoardOnly: Bool
    /// The poses of everyone in the frame.
    public var poses: [Pose]
    /// The trajectories that continue in this frame.
    public var trajectories: [TossTrajectory]
    /// The board and the ground around it, in some of the frames; shows where bags come to rest.
    public var surroundings: BoardSurroundings?

    /// Makes the observations of a frame; the time is in seconds from the first frame.
    public init(
        time: TimeInterval, board: TossBoardObservation? = nil, isStable: Bool = true, cameraMoves: Bool = false,
        isBoardOnly: Bool = false, poses: [Pose] = [], trajectories: [TossTrajectory] = [],
        surroundings: BoardSurroundings? = nil
    ) {
        self.time = time
        self.board = board
        self.isStable = isStable
        self.cameraMoves = cameraMoves
        self.isBoardOnly = isBoardOnly
        self.poses = poses
        self.trajectories = trajectories
        self.surroundings = surroundings
    }
}
