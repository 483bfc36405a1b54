import Foundation
import Kinema
import KinemaDraw
import KinemaToss

/// A game as it goes on, and what is shown of it.
struct TossAnalysis: FilmAnalysis {
    private(set) var game: TossGame
    private var watcher: TossWatcher
    private let run: TossRun
    private var time: TimeInterval = 0
    private var last: (one: TossThrow, told: TimeInterval)?

    /// How long the last path and its points are shown, seconds.
    private static let showing = 1.6

    init(_ run: TossRun, reading: Reading) {
        self.run = run
        let shape = Double(reading.width) / Double(max(1, reading.height))
        game = TossGame(rules: run.rules, aspectRatio: shape, judge: run.judge)
        watcher = TossWatcher(rules: run.rules, detector: run.board.map { KnownBoardBox($0) })
    }

    mutating func take(_ element: TemporalFeature<PosedFrame>) async throws {
        time = element.feature.frame.time
        let seen = try await watcher.look(at: element.feature.frame, poses: element.feature.poses)
        let events = game.update(seen)
        try tell(events)
    }

    /// Whether the camera moves, so that there is little to follow.
    var cameraMoves: Bool { watcher.cameraMoves }

    mutating func finish() throws {
        let events = game.finish()
        try tell(events)
    }

    private mutating func tell(_ events: [TossEvent]) throws {
        for case .throwCompleted(let one) in events {
            last = (one, time)
            try run.onThrow?(one)
        }
    }

    var hud: HUD { HUD() }
    var strip: StripChart? { nil }
    var faults: [Int: Set<JointKey>] { [:] }
    var note: String { "\(PlainText.counted(game.stats.throwCount, "throw")), \(PlainText.counted(game.stats.totalScore, "point"))" }

    var toss: TossOverlay? {
        let metrics = game.stats.metrics.last
        let dashboard = TossOverlay.Dashboard(
            speed: metrics?.releaseSpeedMilesPerHour, angle: metrics?.launchAngle,
            type: metrics.map(\.throwType.rawValue) ?? "-", score: game.stats.totalScore,
            throwCount: game.stats.throwCount, maxThrows: run.rules.maxThrows)
        var overlay = TossOverlay(
            board: game.board?.corners ?? [], hole: game.board?.hole, path: game.flightSpots.map(\.point),
            dashboard: dashboard, notice: notice)
        if let last, time - last.told < Self.showing {
            if overlay.path.isEmpty { overlay.path = last.one.path.map(\.point) }
            overlay.points = ("+\(last.one.metrics.score.rawValue)", max(time - last.told, 0) / Self.showing)
        }
        return overlay
    }

    private var notice: String {
        switch game.state {
        case .inactive, .setupCamera, .detectingBoard: cameraMoves ? "Keep the Camera Still" : "Locating Board"
        case .detectedBoard, .detectingPlayer: "Board Detected"
        case .detectedPlayer: "Go"
        case .trackThrows, .throwCompleted: ""
        case .showSummary: PlainText.counted(game.stats.totalScore, "point")
        }
    }
}
