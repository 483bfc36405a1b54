public import Foundation
import KinemaCore
public import KinemaDraw
public import KinemaToss

/// Scores a game of bean-bag toss: the type, speed, angle, landing and score of every throw.
public struct TossAnalysis: Analysis {
    /// The configuration of the analysis.
    public struct Configuration: Sendable {
        /// The pipeline that detects people: unsmoothed, because a release takes milliseconds.
        public var pipeline: PosePipeline
        /// The game's rules.
        public var rules = TossRules()
        /// The position of the board, normalised, origin at the lower left; nil to detect it.
        public var board: NormalizedBox?
        /// The classifier of throws.
        package var throwClassifier: any ThrowTypeClassifier = PostureThrowClassifier()

        /// Detects the board and classifies throws by posture.
        public init(pipeline: PosePipeline = PosePipeline()) {
            self.pipeline = pipeline
            self.pipeline.smooths = false
        }
    }

    /// The configuration.
    package let configuration: Configuration
    private var frameAnalyzer: TossFrameAnalyzer
    private var game: TossGame?
    private var newest: PosedFrame?
    private var last: (one: TossThrow, reported: TimeInterval)?

    /// A change of the game; `take` returns completed throws themselves.
    public enum Event: Hashable, Sendable {
        /// The game entered another state.
        case stateChanged(from: GameState, to: GameState)
        /// A bag left a hand.
        case throwBegan
    }

    /// The changes of the game in the newest frame, in order.
    public private(set) var events: [Event] = []

    /// The display time of the last throw's path and points, seconds.
    private static let displayDuration = 1.6

    /// Creates an analysis that has not processed any frames.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        frameAnalyzer = TossFrameAnalyzer(rules: configuration.rules, box: configuration.board?.rect)
    }

    /// The pipeline that detects people.
    public var pipeline: PosePipeline { configuration.pipeline }

    /// Processes the next frame and returns the completed throws.
    public mutating func take(_ frame: PosedFrame) throws -> [AnalysisEvent] {
        newest = frame
        let observation = try frameAnalyzer.analyze(frame.frame, poses: frame.poses)
        var game =
            game.take()
            ?? TossGame(
                rules: configuration.rules, aspectRatio: frame.frame.aspectRatio,
                throwClassifier: configuration.throwClassifier)
        let events = game.update(observation)
        self.game = game
        return report(events)
    }

    /// Ends the game and scores a bag still in the air by its observed path.
    public mutating func finish() -> [AnalysisEvent] { report(game?.finish() ?? []) }

    /// After the summary, starts a new game with the same board.
    public mutating func playAgain() {
        _ = report(game?.playAgain() ?? [])
        last = nil
    }

    /// The board and the throws so far.
    public var result: TossResult { TossResult(game) }

    /// Skeletons, the board, the bag's path, the gauge and the points.
    public var layers: [OverlayLayer] {
        guard let newest else { return [] }
        return [.skeletons(newest.poses), .toss(overlay(at: newest.frame.time)), .hud(HUD())]
    }

    /// Half a second to verify that the camera is still, and a short flight.
    public var neededSeconds: Double { 1 }

    /// The throws and points in words.
    public var summary: String {
        PlainText.counted(game?.stats.throwCount ?? 0, "throw") + ", "
            + PlainText.counted(game?.stats.totalScore ?? 0, "point")
    }

    private mutating func report(_ events: [TossEvent]) -> [AnalysisEvent] {
        self.events = []
        return events.compactMap { event in
            switch event {
            case .stateChanged(let from, let to): self.events.append(.stateChanged(from: from, to: to))
            case .throwBegan: self.events.append(.throwBegan)
            case .throwCompleted(let one):
                last = (one, newest?.frame.time ?? 0)
                return .thrown(ThrowResult(one))
            }
            return nil
        }
    }
}

extension TossAnalysis {
    /// The state of the game.
    public var state: GameState { game?.state ?? .inactive }
    /// The instruction to the player.
    public var guidance: TossGuidance { game?.guidance ?? .locatingBoard }
    /// The board; nil until it is found.
    public var board: TossBoardObservation? { game?.board }
    /// The person who threw last or, before the first throw, the largest in view; nil while nobody is in view.
    public var player: TossPlayer? { game?.player }
    /// Whether the board or throws cannot be followed because the camera moves.
    package var cameraMoves: Bool { frameAnalyzer.cameraMoves }
    /// Whether a board fills the picture, seen from above or from too near.
    package var isBoardOnly: Bool { frameAnalyzer.isBoardOnly }
    /// The target frame for the board, normalised, origin at the lower left; nil unless moving helps.
    package var guide: CGRect? {
        guidance == .placeBoard ? configuration.board?.rect ?? configuration.rules.boardGuide : nil
    }
    package var throwCount: Int { game?.stats.throwCount ?? 0 }
    /// The path of the bag in the air, or for a moment the last throw's: normalised, origin at the lower left.
    public var path: [CGPoint] {
        let flight = game?.flightSamples.map(\.point) ?? []
        guard flight.isEmpty, let last, let newest, newest.frame.time - last.reported < Self.displayDuration else {
            return flight
        }
        return last.one.path.map(\.point)
    }
    /// Every throw's path: normalised, origin at the lower left.
    package var paths: [[CGPoint]] { (game?.completedThrows ?? []).map { $0.path.map(\.point) } }

    private func overlay(at time: TimeInterval) -> TossOverlay {
        let stats = game?.stats ?? PlayerStats([])
        let metrics = stats.metrics.last
        var overlay = TossOverlay(
            board: board?.corners ?? [], hole: board?.hole, path: state == .showSummary ? [] : path,
            dashboard: (
                speed: metrics?.releaseSpeedMilesPerHour, angle: metrics?.launchAngle,
                type: metrics.map(\.throwType.rawValue) ?? "-",
                typeConfidence: metrics.map { Double($0.typeConfidence) },
                distance: metrics.map { $0.distance * TossRules.feet }, score: stats.totalScore,
                throwCount: stats.throwCount, maxThrows: configuration.rules.maxThrows
            ), notice: guidance.text)
        overlay.player = player?.box
        if let game, let view = game.view, state != .showSummary {
            let distance = game.rules.lineDistance
            overlay.line = (view.line(at: distance), "\((distance * TossRules.feet).text(0)) ft")
        }
        overlay.guide = guide
        if state == .showSummary { overlay.summary = (paths, result.summary.figures) }
        if let last, time - last.reported < Self.displayDuration {
            let share = max(time - last.reported, 0) / Self.displayDuration
            overlay.points = ("+\(last.one.metrics.score.rawValue)", share)
        }
        return overlay
    }
}

package struct ArrivalsAnalysis: Analysis {
    private var detector = BagArrivalDetector()
    private var arrivals: [BagArrival] = []

    package init() {}

    package var pipeline: PosePipeline { .framesOnly }

    /// Takes the next frame; arrivals are only in the result, once bags have settled.
    package mutating func take(_ frame: PosedFrame) throws -> [AnalysisEvent] {
        arrivals += detector.update(ColorGrid(try frame.frame.bitmap()), at: frame.frame.time)
        return []
    }

    package mutating func finish() -> [AnalysisEvent] {
        arrivals += detector.finish()
        return []
    }

    package var result: ArrivalsResult { ArrivalsResult(arrivals) }

    package var layers: [OverlayLayer] {
        [.hud(HUD(lines: arrivals.suffix(4).map { "\($0.time.text(1)) s  \($0.landing.rawValue)" }))]
    }

    package var summary: String { PlainText.counted(arrivals.count, "bag") }
}

/// The bags on a board seen from above; the JSON of `kinema toss --view board`.
package struct ArrivalsResult: AnalysisResult, Hashable {
    package struct Arrival: Codable, Sendable, Hashable {
        /// The times of coming into view and coming to rest, seconds.
        package var time: Double, settled: Double
        package var landing: String
        /// The points scored; the kind of throw cannot be seen from above.
        package var score: Int
        /// The resting point: x and y, normalised, origin at the lower left.
        package var point: [Double]
    }

    package var arrivals: [Arrival]
    package var total: Int

    init(_ found: [BagArrival]) {
        arrivals = found.map {
            Arrival(
                time: $0.time.rounded(to: 4), settled: $0.settled.rounded(to: 4), landing: $0.landing.rawValue,
                score: Scoring($0.landing, type: .none).rawValue, point: $0.location.pair)
        }
        total = arrivals.reduce(0) { $0 + $1.score }
    }

    package static var columns: [String] { ["time", "settled", "landing"] }

    package var rows: [[String]] { arrivals.map { [$0.time.text(3), $0.settled.text(3), $0.landing] } }

    package func lines(_ run: AnalysisRun) -> [String] {
        ["\(run.name): \(PlainText.counted(arrivals.count, "bag")), \(PlainText.counted(total, "point"))"]
            + arrivals.map { "  \($0.time.text(2)) s  \($0.landing)" }
    }
}
