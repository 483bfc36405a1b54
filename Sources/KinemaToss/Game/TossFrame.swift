import Foundation
import KinemaCore

/// The observations of one frame.
package struct TossFrame: Sendable {
    var time: TimeInterval
    var board: TossBoardObservation?
    /// Whether the camera has been seen to stand still.
    var isStable = true
    /// Whether the camera has been seen to move; both are false until it was observed long enough.
    var cameraMoves = false
    /// Whether a board fills so much of the picture that it is seen from above, or from too near for a game.
    var isBoardOnly = false
    var poses: [Pose] = []
    /// The trajectories that continue in this frame.
    var trajectories: [TossTrajectory] = []
    /// The board and the ground around it, in some of the frames; shows where bags come to rest.
    var surroundings: BoardSurroundings?
}
