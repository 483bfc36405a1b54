import Foundation
import Kinema
import KinemaToss

/// What a game came to: the contract of `kinema toss`.
struct TossReport: Sendable {
    var source: String
    var duration: TimeInterval = 0
    var frames = 0
    /// What became of a live source's frames; nil of files.
    var live: FrameTally?
    var board: TossBoardPlace?
    var completedThrows: [TossThrow] = []
    var stats = PlayerStats()
    /// How long the analysis took, seconds.
    var seconds: TimeInterval = 0

    init(source: String) {
        self.source = source
    }
}

/// What came onto the board, seen from above.
struct ArrivalsReport: Sendable {
    var source: String
    var duration: TimeInterval = 0
    var frames = 0
    var arrivals: [BagArrival] = []

    /// All points together; how the bags were thrown cannot be seen.
    var total: Int { arrivals.reduce(0) { $0 + Scoring($1.landing, type: .none).rawValue } }
}
