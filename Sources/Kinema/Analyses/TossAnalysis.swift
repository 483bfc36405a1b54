public import Foundation
import KinemaCore
public import KinemaDraw
public import KinemaToss

/// Follows a game of bean-bag toss: type, speed, angle, landing and score of every throw.
public struct TossAnalysis: Analysis {
    /// How the game is followed.
    public struct Configuration: Sendable {
        /// How people are found: unsmoothed, since the release is a matter of milliseconds.
        public var pipeline: PosePipeline
        /// The game's rules.
        public var rules = TossRules()
        /// Where the board is said to be, normalised, origin at the lower left; nil to look for it.
        public var board: NormalizedBox?
        /// What tells the type of a throw.
        public var judge: any ThrowTypeJudge = PostureJudge()

        /// Looks for the board and tells types by posture.
        public init(pipeline: PosePipeline = PosePipeline()) {
            self.pipeline = pipeline
            self.pipeline.smooths = false
        }
    }

    /// How it follows the game.
    public let configuration: Configuration
    private var watcher: TossWatcher
    private var game: TossGame?
    private var newest: PosedFrame?
    private var last: (one: TossThrow, told: TimeInterval)?

    /// How long the last path and its points are shown, seconds.
    private static let showing = 1.6

    /// Makes an analysis that has seen nothing yet.
    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
        watcher = TossWatcher(
            rules: configuration.rules, detector: configuration.board.map { KnownBoardBox($0.rect) })
    }

    /// How people are found.
    public var pipeline: PosePipeline { configuration.pipeline }

    /// Takes the next frame and returns the throws that are over.
    public mutating func take(_ frame: PosedFrame) async throws -> [AnalysisEvent] {
        newest = frame
        let seen = try await watcher.look(at: frame.frame, poses: frame.poses)
        var game =
            game.take()
            ?? TossGame(
                rules: configuration.rules, aspectRatio: frame.frame.aspectRatio, judge: configuration.judge)
        let events = game.update(seen)
        self.game = game
        return tell(events)
    }

    /// Ends the game; a bag still in the air is judged by what was seen.
    public mutating func finish() -> [AnalysisEvent] { tell(game?.finish() ?? []) }

    /// After the summary: a new game with the same board.
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
        "\(PlainText.counted(game?.stats.throwCount ?? 0, "throw")), \(PlainText.counted(game?.stats.totalScore ?? 0, "point"))"
    }

    private mutating func tell(_ events: [TossEvent]) -> [AnalysisEvent] {
        events.compactMap { event in
            guard case .throwCompleted(let one) = event else { return nil }
            last = (one, newest?.frame.time ?? 0)
            return .thrown(ThrowResult(one))
        }
    }
}

extension TossAnalysis {
    /// Where the game stands; `inactive` before the first frame.
    package var state: GameState { game?.state ?? .inactive }
    /// The board, once it is known.
    package var board: TossBoardPlace? { game?.board }
    /// Whether the board cannot be watched because the camera moves.
    package var cameraMoves: Bool { watcher.cameraMoves }
    /// The path of the bag in the air, or for a moment that of the last throw: normalised, origin at the lower left.
    package var path: [CGPoint] {
        let flight = game?.flightSpots.map(\.point) ?? []
        guard flight.isEmpty, let last, let newest, newest.frame.time - last.told < Self.showing else { return flight }
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
        if let last, time - last.told < Self.showing {
            overlay.points = ("+\(last.one.metrics.score.rawValue)", max(time - last.told, 0) / Self.showing)
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

/// A box said by its corner and size, each 0...1 of the picture, origin at the lower left.
public struct NormalizedBox: Sendable, Hashable, Codable {
    /// The box.
    public let rect: CGRect

    /// Makes a box of x, y, width and height; nil when they are not four numbers within the picture.
    public init?(_ numbers: [Double]) {
        guard numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }), numbers[2] > 0, numbers[3] > 0,
            numbers[0] + numbers[2] <= 1 + 1e-9, numbers[1] + numbers[3] <= 1 + 1e-9
        else { return nil }
        rect = CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    /// Reads "x,y,width,height"; nil for all else.
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
    /// 1 for the game's first.
    public var number: Int
    /// How it was thrown, by `ThrowType` in lower case.
    public var type: String
    /// The bag's speed when it left the hand, miles an hour and metres a second.
    public var speedMph: Double, speedMps: Double
    /// The bag's direction above the horizontal when it left the hand, degrees.
    public var angle: Double
    /// The forearm's direction above the horizontal at the release, degrees; null when it was not seen.
    @Nullable public var armAngle: Double?
    /// Its points.
    public var score: Int
    /// Where it came to lie: off, board or hole.
    public var landing: String
    /// When it left the hand and when it landed, seconds.
    public var start: Double, end: Double
    /// Where it ended: x and y, normalised, origin at the lower left.
    public var point: [Double]
    /// Where it was seen: time in seconds, x, y.
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
        path = one.spots.map { [$0.time.rounded(to: 5)] + $0.point.pair }
    }

    /// The throw in a line for people.
    package var line: String {
        "\(number).  \(start.text(2)) to \(end.text(2)) s  \(type), \(speedMph.text(1)) mph (\(speedMps.text(2)) m/s), "
            + "\(angle.text(0))\u{B0}, \(landing)  +\(score)"
    }
}

/// What a game came to; the JSON of `kinema toss`.
public struct TossResult: AnalysisResult, Hashable {
    /// Where the board lies.
    public struct Board: Codable, Sendable, Hashable {
        /// x, y, width and height of the box around it; all places normalised, origin at the lower left.
        public var box: [Double]
        /// The corners of its face in order round it.
        public var corners: [[Double]]
        /// The middle of the hole; null when it was not seen.
        @Nullable public var hole: [Double]?
        /// How sure it is, 0...1.
        public var confidence: Double
    }

    /// The board; null when none was found.
    @Nullable public var board: Board?
    /// The throws in order.
    public var throwList: [ThrowResult]
    /// All points.
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
        board = game?.board.map { place in
            let box = place.box
            return Board(
                box: [box.minX, box.minY, box.width, box.height].map { Double($0).rounded(to: 5) },
                corners: place.corners.map(\.pair), hole: place.hole?.pair,
                confidence: Double(place.confidence).rounded(to: 3))
        }
        throwList = (game?.completedThrows ?? []).map(ThrowResult.init)
        total = game?.stats.totalScore ?? 0
        averageSpeedMps = game?.stats.averageSpeed?.rounded(to: 3)
        averageAngle = game?.stats.averageLaunchAngle?.rounded(to: 2)
        topSpeedMps = (game?.stats.topSpeed ?? 0).rounded(to: 3)
    }

    /// One row a throw.
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

    /// The points, then each throw and the averages.
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

/// Watches a board from above: which bags arrive, and where they come to lie.
public struct ArrivalsAnalysis: Analysis {
    private var watch = BoardWatch()
    private var arrivals: [BagArrival] = []

    /// Makes an analysis that has seen nothing yet.
    public init() {}

    /// Frames alone: nobody is in view.
    public var pipeline: PosePipeline { .framesOnly }

    /// Takes the next frame; arrivals are told at the end, when bags have settled.
    public mutating func take(_ frame: PosedFrame) throws -> [AnalysisEvent] {
        arrivals += watch.update(ColorGrid(try frame.frame.bitmap()), at: frame.frame.time)
        return []
    }

    /// Ends the stream.
    public mutating func finish() -> [AnalysisEvent] {
        arrivals += watch.finish()
        return []
    }

    /// The bags that arrived so far.
    public var result: ArrivalsResult { ArrivalsResult(arrivals) }

    /// The last arrivals in words.
    public var layers: [OverlayLayer] {
        [.hud(HUD(lines: arrivals.suffix(4).map { "\($0.time.text(1)) s  \($0.landing.rawValue)" }))]
    }

    /// The bags in words.
    public var summary: String { PlainText.counted(arrivals.count, "bag") }
}

/// What came onto a board seen from above; the JSON of `kinema toss --view board`.
public struct ArrivalsResult: AnalysisResult, Hashable {
    /// A bag that came to lie.
    public struct Arrival: Codable, Sendable, Hashable {
        /// When it came into view and when it lay still, seconds.
        public var time: Double, settled: Double
        /// Where it came to lie: off, board or hole.
        public var landing: String
        /// Its points; how it was thrown cannot be seen.
        public var score: Int
        /// Where it lies: x and y, normalised, origin at the lower left.
        public var point: [Double]
    }

    /// The bags in order of time.
    public var arrivals: [Arrival]
    /// All points together.
    public var total: Int

    init(_ found: [BagArrival]) {
        arrivals = found.map {
            Arrival(
                time: $0.time.rounded(to: 4), settled: $0.settled.rounded(to: 4), landing: $0.landing.rawValue,
                score: Scoring($0.landing, type: .none).rawValue, point: $0.location.pair)
        }
        total = arrivals.reduce(0) { $0 + $1.score }
    }

    /// One row a bag.
    public static var columns: [String] { ["time", "settled", "landing"] }

    /// The bags.
    public var rows: [[String]] { arrivals.map { [$0.time.text(3), $0.settled.text(3), $0.landing] } }

    /// The points, then each bag.
    public func lines(_ run: AnalysisRun) -> [String] {
        ["\(run.name): \(PlainText.counted(arrivals.count, "bag")), \(PlainText.counted(total, "point"))"]
            + arrivals.map { "  \($0.time.text(2)) s  \($0.landing)" }
    }
}
