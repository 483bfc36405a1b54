import Foundation
import Kinema
import KinemaCore
import KinemaToss
import KinemaVision

/// Follows a game of bean-bag toss.
struct TossMode: LiveMode {
    let pipeline: PosePipeline
    private var watcher: TossWatcher
    private var game: TossGame
    private var time: TimeInterval = 0
    private var last: (path: [CGPoint], told: TimeInterval)?

    /// How long the last path is shown, seconds.
    private static let showing = 1.6

    init(_ request: StartRequest, board: CGRect?, aspectRatio: Double, precision: ModelStore.Precision) {
        var pipeline = PosePipeline.live(people: request.people ?? .prominent, precision: precision)
        // The release is a matter of milliseconds; smoothing would make hands late.
        pipeline.smooths = false
        self.pipeline = pipeline
        let rules = TossRules()
        watcher = TossWatcher(rules: rules, detector: board.map { KnownBoardBox($0) })
        game = TossGame(rules: rules, aspectRatio: aspectRatio)
    }

    var state: SessionState? {
        switch game.state {
        case .inactive, .setupCamera, .detectingBoard: watcher.cameraMoves ? .keepStill : .findingBoard
        case .detectedBoard, .detectingPlayer, .detectedPlayer: .calibrating
        case .trackThrows, .throwCompleted: .playing
        case .showSummary: .gameOver
        }
    }

    mutating func take(_ seen: PosedFrame) async throws -> [LiveEvent] {
        time = seen.frame.time
        return news(game.update(try await watcher.look(at: seen.frame, poses: seen.poses)))
    }

    mutating func finish() -> [LiveEvent] { news(game.finish()) }

    func write(to json: inout JSONText) {
        json.key("toss")
        json.object { json in
            json.pair("state", game.state.rawValue)
            if let board = game.board { json.points("board", board.corners) }
            if let hole = game.board?.hole {
                json.key("hole")
                json.point(hole)
            }
            json.points("path", path)
            json.pair("throws", game.stats.throwCount)
            json.pair("total", game.stats.totalScore)
        }
    }

    func summarise(_ session: inout KeptSession) {
        session.throwsMade = game.completedThrows.map(Self.kept)
        session.count = game.completedThrows.count
    }

    private var path: [CGPoint] {
        let flight = game.flightSpots.map(\.point)
        guard flight.isEmpty, let last, time - last.told < Self.showing else { return flight }
        return last.path
    }

    private mutating func news(_ events: [TossEvent]) -> [LiveEvent] {
        events.compactMap { event in
            guard case .throwCompleted(let one) = event else { return nil }
            last = (one.path.map(\.point), time)
            return .thrown(Self.kept(one))
        }
    }

    private static func kept(_ one: TossThrow) -> KeptSession.Throw {
        let metrics = one.metrics
        return KeptSession.Throw(
            type: metrics.throwType.rawValue.lowercased(), speedMps: metrics.releaseSpeed, angle: metrics.launchAngle,
            landing: metrics.landing.rawValue, score: metrics.score.rawValue, start: metrics.start, end: metrics.end)
    }
}
