public import Foundation
import KinemaCore
public import KinemaDraw
public import KinemaToss

/// Follows a game of bean-bag toss: the type, speed, angle, landing and score of every throw.
public struct TossAnalysis: Analysis {
    /// How to follow a game.
    public struct Configuration: Sendable {
        /// How people are found: unsmoothed, because a release takes milliseconds.
        public var pipeline: PosePipeline
        /// The game's rules.
        public var rules = TossRules()
        /// The position of the board, normalised, origin at the lower left; nil to detect it.
        public var board: NormalizedBox?
        /// How throws are classified.
        public var throwClassifier: any ThrowTypeClassifier = PostureThrowClassifier()

        /// Detects the board and classifies throws by posture.
        public init(pipeline: PosePipeline = PosePipeline()) {
            self.pipeline = pipeline
            self.pipeline.smooths = false
        }
    }

    /// The configuration.
    public let configuration: Configuration
    private var frameAnalyzer: TossFrameAnalyzer
    private var game: TossGame?
    private var newest: PosedFrame?
    private var last: (one: TossThrow, reported: TimeInterval)?

    /// How long the last throw's path and points are shown, seconds.
    private static let displayDuration = 1.6

    /// Makes an analysis that has seen no frames.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        frameAnalyzer = TossFrameAnalyzer(
            rules: configuration.rules, detector: configuration.board.map { KnownBoardBox($0.rect) })
    }

    /// How people are found.
    public var pipeline: PosePipeline { configuration.pipeline }

    /// Takes the next frame and returns the completed throws.
    public mutating func take(_ frame: PosedFrame) async throws -> [AnalysisEvent] {
        newest = frame
        let observation = try await frameAnalyzer.analyze(frame.frame, poses: frame.poses)
        var game =
            game.take()
            ?? TossGame(
                rules: configuration.rules, aspectRatio: frame.frame.aspectRatio,
                throwClassifier: configuration.throwClassifier)
        let events = game.update(observation)
        self.game = game
        return report(events)
    }

    /// Ends the game; a bag still in the air is scored by what was seen of it.
    public mutating func finish() -> [AnalysisEvent] { report(game?.finish() ?? []) }

    /// After the summary, starts a new game with the same board.
    public mutating func playAgain() { _ = game?.playAgain() }

    /// The board and the throws so far.
    public var result: TossResult { TossResult(game) }

    /// Skeletons, the board, the bag's path, the gauge and the points.
    public var layers: [OverlayLayer] {
        guard let newest else { return [] }
        return [.skeletons(newest.poses), .toss(overlay(at: newest.frame.time)), .hud(HUD())]
    }

    /// The throws and points in words.
    public var summary: String {
        PlainText.counted(game?.stats.throwCount ?? 0, "throw") + ", "
            + PlainText.counted(game?.stats.totalScore ?? 0, "point")
    }

    private mutating func report(_ events: [TossEvent]) -> [AnalysisEvent] {
        events.compactMap { event in
            guard case .throwCompleted(let one) = event else { return nil }
            last = (one, newest?.frame.time ?? 0)
            return .thrown(ThrowResult(one))
        }
    }
}

extension TossAnalysis {
    /// The state of the game; `inactive` before the first frame.
    package var state: GameState { game?.state ?? .inactive }
    /// The board, once it is known.
    package var board: TossBoardObservation? { game?.board }
    /// Whether the board cannot be tracked because the camera moves.
    package var cameraMoves: Bool { frameAnalyzer.cameraMoves }
    /// The path of the bag in the air, or for a moment the last throw's: normalised, origin at the lower left.
    package var path: [CGPoint] {
        let flight = game?.flightSamples.map(\.point) ?? []
        guard flight.isEmpty, let last, let newest, newest.frame.time - last.reported < Self.displayDuration else {
            return flight
        }
        return last.one.path.map(\.point)
    }
    /// Every throw's path: normalised, origin at the lower left.
    package var paths: [[CGPoint]] { (game?.completedThrows ?? []).map { $0.path.map(\.point) } }

    private func overlay(at time: TimeInterval) -> TossOverlay {
        let stats = game?.stats ?? PlayerStats()
        let metrics = stats.metrics.last
        var overlay = TossOverlay(
            board: board?.corners ?? [], hole: board?.hole, path: path,
            dashboard: TossOverlay.Dashboard(
                speed: metrics?.releaseSpeedMilesPerHour, angle: metrics?.launchAngle,
                type: metrics.map(\.throwType.rawValue) ?? "-", score: stats.totalScore, throwCount: stats.throwCount,
                maxThrows: configuration.rules.maxThrows), notice: notice)
        if let last, time - last.reported < Self.displayDuration {
            let share = max(time - last.reported, 0) / Self.displayDuration
            overlay.points = ("+\(last.one.metrics.score.rawValue)", share)
        }
        return overlay
    }

    private var notice: String {
        switch state {
        case .inactive, .setupCamera, .detectingBoard: cameraMoves ? "Keep the Camera Still" : "Locating Board"
        case .detectedBoard, .detectingPlayer: "Board Detected"
        case .detectedPlayer: "Go"
        case .trackThrows, .throwCompleted: ""
        case .showSummary: PlainText.counted(game?.stats.totalScore ?? 0, "point")
        }
    }
}

/// A box given by its corner and size, each 0...1 of the picture, origin at the lower left.
public struct NormalizedBox: Sendable, Hashable, Codable {
    /// The box.
    public let rect: CGRect

    /// Makes a box from x, y, width and height; nil unless they are four numbers within the picture.
    public init?(_ numbers: [Double]) {
        guard numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }), numbers[2] > 0, numbers[3] > 0,
            numbers[0] + numbers[2] <= 1 + 1e-9, numbers[1] + numbers[3] <= 1 + 1e-9
        else { return nil }
        rect = CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// Parses "x,y,width,height"; nil for anything else.
    public init?(_ text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        guard !numbers.contains(where: { $0 == nil }) else { return nil }
        self.init(numbers.compactMap(\.self))
    }
}

/// One throw; the JSON of `kinema toss`.
public struct ThrowResult: Codable, Sendable, Hashable {
    /// The throw's number in the game, from 1.
    public var number: Int
    /// The kind of throw, by `ThrowType` in lower case.
    public var type: String
    /// The bag's speed at the release, in miles an hour and metres a second.
    public var speedMph: Double, speedMps: Double
    /// The bag's direction above the horizontal at the release, degrees.
    public var angle: Double
    /// The forearm's direction above the horizontal at the release, degrees; null if it was not seen.
    @Nullable public var armAngle: Double?
    /// The points scored.
    public var score: Int
    /// Where the bag landed: off, board or hole.
    public var landing: String
    /// When the bag left the hand and when it landed, seconds.
    public var start: Double, end: Double
    /// Where the bag's path ended: x and y, normalised, origin at the lower left.
    public var point: [Double]
    /// Where the bag was seen: time in seconds, x, y.
    public var path: [[Double]]

    private enum CodingKeys: String, CodingKey {
        case number, type, angle, score, landing, start, end, point, path
        case speedMph = "speed_mph"
        case speedMps = "speed_mps"
        case armAngle = "arm_angle"
    }

    init(_ one: TossThrow) {
        let metrics = one.metrics
        (number, type) = (one.number, metrics.throwType.rawValue.lowercased())
        (speedMph, speedMps) = (metrics.releaseSpeedMilesPerHour.rounded(to: 2), metrics.releaseSpeed.rounded(to: 3))
        (angle, armAngle) = (metrics.launchAngle.rounded(to: 2), metrics.releaseAngle?.rounded(to: 2))
        (score, landing) = (metrics.score.rawValue, metrics.landing.rawValue)
        (start, end) = (metrics.start.rounded(to: 4), metrics.end.rounded(to: 4))
        point = metrics.finalBagLocation.pair
        path = one.samples.map { [$0.time.rounded(to: 5)] + $0.point.pair }
    }

    /// The throw as a line of text.
    package var line: String {
        "\(number).  \(start.text(2)) to \(end.text(2)) s  \(type), \(speedMph.text(1)) mph (\(speedMps.text(2)) m/s), "
            + "\(angle.text(0))\u{B0}, \(landing)  +\(score)"
    }
}

/// The result of a game; the JSON of `kinema toss`.
public struct TossResult: AnalysisResult, Hashable {
    /// The position of the board.
    public struct Board: Codable, Sendable, Hashable {
        /// x, y, width and height of its bounding box; all positions are normalised, origin at the lower left.
        public var box: [Double]
        /// The corners of its face in order around it.
        public var corners: [[Double]]
        /// The centre of the hole; null if it was not seen.
        @Nullable public var hole: [Double]?
        /// The confidence, 0...1.
        public var confidence: Double
    }

    /// The board; null if none was found.
    @Nullable public var board: Board?
    /// The throws in order.
    public var throwList: [ThrowResult]
    /// The total score.
    public var total: Int
    /// The mean speed of the throws, metres a second; null without any.
    @Nullable public var averageSpeedMps: Double?
    /// The mean launch angle, degrees; null without any throw.
    @Nullable public var averageAngle: Double?
    /// The speed of the fastest throw, metres a second.
    public var topSpeedMps: Double

    private enum CodingKeys: String, CodingKey {
        case board, total
        case throwList = "throws"
        case averageSpeedMps = "average_speed_mps"
        case averageAngle = "average_angle"
        case topSpeedMps = "top_speed_mps"
    }

    init(_ game: TossGame?) {
        board = game?.board.map { board in
            let box = board.box
            return Board(
                box: [box.minX, box.minY, box.width, box.height].map { Double($0).rounded(to: 5) },
                corners: board.corners.map(\.pair), hole: board.hole?.pair,
                confidence: Double(board.confidence).rounded(to: 3))
        }
        throwList = (game?.completedThrows ?? []).map(ThrowResult.init)
        total = game?.stats.totalScore ?? 0
        averageSpeedMps = game?.stats.averageSpeed?.rounded(to: 3)
        averageAngle = game?.stats.averageLaunchAngle?.rounded(to: 2)
        topSpeedMps = (game?.stats.topSpeed ?? 0).rounded(to: 3)
    }

    /// One row per throw.
    public static var columns: [String] {
        ["throw", "type", "speed_mph", "speed_mps", "angle", "arm_angle", "score", "landing", "start", "end"]
    }

    /// The throws.
    public var rows: [[String]] {
        throwList.map {
            [
                "\($0.number)", $0.type, $0.speedMph.text(2), $0.speedMps.text(3), $0.angle.text(2),
                $0.armAngle?.text(2) ?? "", "\($0.score)", $0.landing, $0.start.text(3), $0.end.text(3),
            ]
        }
    }

    /// The score, then each throw and the averages.
    public func lines(_ run: AnalysisRun) -> [String] {
        var lines = [
            "\(run.name): \(PlainText.counted(throwList.count, "throw")), \(PlainText.counted(total, "point"))"
        ]
        lines += throwList.map { "  " + $0.line }
        if let speed = averageSpeedMps, let angle = averageAngle {
            lines.append(
                "average \((speed * TossRules.milesPerHour).text(1)) mph, \(angle.text(0))\u{B0}; "
                    + "top speed \((topSpeedMps * TossRules.milesPerHour).text(1)) mph")
        }
        return lines
    }
}
