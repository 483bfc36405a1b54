import Foundation
import KinemaCore
import KinemaToss

/// The result of a game; the JSON of `kinema toss` has the summary's keys beside `throws`.
public struct TossResult: AnalysisResult, Hashable {
    /// The summary: board, line and averages.
    public var summary: TossSummary
    /// The throws in order.
    public var throwList: [ThrowResult]
    /// The board; nil if none was detected.
    package var board: TossSummary.Board? { summary.board }
    /// The total score.
    public var total: Int { summary.total }

    private enum CodingKeys: String, CodingKey { case throwList = "throws" }

    init(_ game: TossGame?) {
        summary = TossSummary(game)
        throwList = (game?.completedThrows ?? []).map(ThrowResult.init)
    }

    /// Reads the summary's keys and `throws`.
    public init(from decoder: any Decoder) throws {
        summary = try TossSummary(from: decoder)
        throwList = try decoder.container(keyedBy: CodingKeys.self).decode([ThrowResult].self, forKey: .throwList)
    }

    /// Writes the summary's keys and `throws`.
    public func encode(to encoder: any Encoder) throws {
        try summary.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(throwList, forKey: .throwList)
    }

    /// One row per throw.
    public static var columns: [String] {
        [
            "throw", "type", "speed_mph", "speed_mps", "angle", "arm_angle", "score", "landing", "start", "end",
            "type_confidence", "distance_ft", "distance_m", "player_distance_ft", "player_distance_m",
            "unseen",
        ]
    }

    /// The throws.
    public var rows: [[String]] {
        throwList.map {
            [
                "\($0.number)", $0.type, $0.speedMph.text(2), $0.speedMps.text(3), $0.angle.text(2),
                $0.armAngle?.text(2) ?? "", "\($0.score)", $0.landing, $0.start.text(3), $0.end.text(3),
                $0.typeConfidence?.text(3) ?? "", $0.distanceFt?.text(1) ?? "", $0.distanceM?.text(2) ?? "",
                $0.playerDistanceFt?.text(1) ?? "", $0.playerDistanceM?.text(2) ?? "",
                $0.unseen ?? "",
            ]
        }
    }

    /// The score, then each throw, the averages, and how many throws came after the game.
    public func lines(_ run: AnalysisRun) -> [String] {
        let head = "\(run.name): \(PlainText.counted(throwList.count, "throw")), \(PlainText.counted(total, "point"))"
        var lines = [head] + throwList.map { "  " + $0.line } + (throwList.isEmpty ? [] : [summary.text])
        if let further = summary.throwsNotScored, further > 0 {
            lines.append(
                "\(PlainText.counted(further, "further throw")) not scored: the game was set to "
                    + "\(throwList.count); --throws all scores every throw")
        }
        return lines
    }
}

/// One throw; the JSON of `kinema toss`.
public struct ThrowResult: Codable, Sendable, Hashable {
    /// The throw's number in the game, from 1.
    public var number: Int
    /// The kind of throw, by `ThrowType` in lower case.
    public var type: String
    /// The confidence of the type, 0...1; 0 if the thrower was not in view, null for throws of an older version.
    @Nullable public var typeConfidence: Double?
    /// The bag's speed at the release, in miles an hour and metres a second.
    public var speedMph: Double, speedMps: Double
    /// The bag's direction above the horizontal at the release, degrees.
    public var angle: Double
    /// The forearm's direction above the horizontal at the release, degrees; null if it was not seen.
    @Nullable public var armAngle: Double?
    /// The distance along the ground from the hand to the landing, in metres and feet; null for older versions.
    @Nullable public var distanceM: Double?
    /// The same in feet.
    @Nullable public var distanceFt: Double?
    /// The player's distance from the hole, in metres; null if the feet were not seen.
    @Nullable public var playerDistanceM: Double?
    /// The same in feet.
    @Nullable public var playerDistanceFt: Double?
    /// The points scored.
    public var score: Int
    /// The landing of the bag: off, board or hole.
    public var landing: String
    /// The release and the landing, seconds.
    public var start: Double, end: Double
    /// What of the throw was not seen and is computed from the rest, in words; absent if all was seen.
    public var unseen: String?
    /// The end of the bag's path: x and y, normalised, origin at the lower left.
    public var point: [Double]
    /// The detected positions of the bag: time in seconds, x, y.
    public var path: [[Double]]

    private enum CodingKeys: String, CodingKey {
        case number, type, angle, score, landing, start, end, unseen, point, path
        case speedMph = "speed_mph", speedMps = "speed_mps", armAngle = "arm_angle", typeConfidence = "type_confidence"
        case distanceM = "distance_m", distanceFt = "distance_ft"
        case playerDistanceM = "player_distance_m", playerDistanceFt = "player_distance_ft"
    }

    init(_ one: TossThrow) {
        let metrics = one.metrics
        (number, type) = (one.number, metrics.throwType.rawValue.lowercased())
        (speedMph, speedMps) = (metrics.releaseSpeedMilesPerHour.rounded(to: 2), metrics.releaseSpeed.rounded(to: 3))
        (angle, armAngle) = (metrics.launchAngle.rounded(to: 2), metrics.releaseAngle?.rounded(to: 2))
        typeConfidence = Double(metrics.typeConfidence).rounded(to: 3)
        distanceM = metrics.distance.rounded(to: 2)
        distanceFt = (metrics.distance * TossRules.feet).rounded(to: 1)
        playerDistanceM = metrics.playerDistance?.rounded(to: 2)
        playerDistanceFt = metrics.playerDistance.map { ($0 * TossRules.feet).rounded(to: 1) }
        (score, landing) = (metrics.score.rawValue, metrics.landing.rawValue)
        (start, end) = (metrics.start.rounded(to: 4), metrics.end.rounded(to: 4))
        unseen = metrics.unseen
        point = metrics.finalBagLocation.pair
        path = one.samples.map { [$0.time.rounded(to: 5)] + $0.point.pair }
    }

    package var line: String {
        let sure = typeConfidence.map { " (\(($0 * 100).text(0)) %)" } ?? ""
        let far = distanceM.map { ", \(($0 * TossRules.feet).text(1)) ft (\($0.text(2)) m)" } ?? ""
        return "\(number).  \(start.text(2)) to \(end.text(2)) s  \(type)\(sure), \(speedMph.text(1)) mph "
            + "(\(speedMps.text(2)) m/s), \(angle.text(0))\u{B0}\(far), \(landing)  +\(score)"
            + (unseen.map { "; \($0)" } ?? "")
    }
}

/// The summary of a game: the board, the line and the averages of the throws.
public struct TossSummary: Codable, Sendable, Hashable {
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

    /// The line on the ground from behind which bags are thrown.
    public struct Line: Codable, Sendable, Hashable {
        /// The distance from the hole, in metres and feet.
        public var distanceM: Double, distanceFt: Double
        /// Its ends in the frame, normalised, origin at the lower left; they may lie outside it.
        public var ends: [[Double]]

        private enum CodingKeys: String, CodingKey {
            case ends, distanceM = "distance_m", distanceFt = "distance_ft"
        }
    }

    /// The board; null if none was found.
    @Nullable public var board: Board?
    /// The line; null without a board.
    @Nullable public var line: Line?
    /// The picture's width divided by its height; null without a picture.
    @Nullable public var aspectRatio: Double?
    /// The total score.
    public var total: Int
    /// The mean speed of the throws, metres a second; null without any.
    @Nullable public var averageSpeedMps: Double?
    /// The same, miles an hour.
    @Nullable public var averageSpeedMph: Double?
    /// The mean release angle of the bags above the horizontal, degrees; null without any throw.
    @Nullable public var averageAngle: Double?
    /// The mean direction of the forearm at the release, degrees; null if it was never seen.
    @Nullable public var averageArmAngle: Double?
    /// The mean distance of the throws, metres; null without any.
    @Nullable public var averageDistanceM: Double?
    /// The same, feet.
    @Nullable public var averageDistanceFt: Double?
    /// The speed of the fastest throw, metres a second.
    public var topSpeedMps: Double
    /// The same, miles an hour.
    public var topSpeedMph: Double
    /// The number of unscored throws after the game; null for games of an older version.
    @Nullable public var throwsNotScored: Int?

    private enum CodingKeys: String, CodingKey {
        case board, line, total
        case throwsNotScored = "throws_not_scored", aspectRatio = "aspect_ratio"
        case averageSpeedMps = "average_speed_mps", averageSpeedMph = "average_speed_mph"
        case averageAngle = "average_angle", averageArmAngle = "average_arm_angle"
        case averageDistanceM = "average_distance_m", averageDistanceFt = "average_distance_ft"
        case topSpeedMps = "top_speed_mps", topSpeedMph = "top_speed_mph"
    }

    init(_ game: TossGame?) {
        board = game?.board.map { board in
            let box = board.box
            return Board(
                box: [box.minX, box.minY, box.width, box.height].map { Double($0).rounded(to: 5) },
                corners: board.corners.map(\.pair), hole: board.hole?.pair,
                confidence: Double(board.confidence).rounded(to: 3))
        }
        if let game, let view = game.view {
            let distance = game.rules.lineDistance
            line = Line(
                distanceM: distance.rounded(to: 2), distanceFt: (distance * TossRules.feet).rounded(to: 1),
                ends: view.line(at: distance).map(\.pair))
        }
        aspectRatio = game?.aspectRatio.rounded(to: 4)
        let stats = game?.stats ?? PlayerStats([])
        total = stats.totalScore
        averageSpeedMps = stats.averageSpeed?.rounded(to: 3)
        averageSpeedMph = stats.averageSpeed.map { ($0 * TossRules.milesPerHour).rounded(to: 2) }
        averageAngle = stats.averageLaunchAngle?.rounded(to: 2)
        averageArmAngle = stats.averageReleaseAngle?.rounded(to: 2)
        averageDistanceM = stats.averageDistance?.rounded(to: 2)
        averageDistanceFt = stats.averageDistance.map { ($0 * TossRules.feet).rounded(to: 1) }
        topSpeedMps = stats.topSpeed.rounded(to: 3)
        topSpeedMph = (stats.topSpeed * TossRules.milesPerHour).rounded(to: 2)
        throwsNotScored = game?.throwsNotScored ?? 0
    }

    /// The averages and the top speed with their names; empty without throws.
    package var figures: [(name: String, value: String)] {
        guard let averageSpeedMps, let averageSpeedMph, let averageAngle else { return [] }
        var figures = [
            ("average speed", "\(averageSpeedMph.text(1)) mph (\(averageSpeedMps.text(2)) m/s)"),
            ("top speed", "\(topSpeedMph.text(1)) mph (\(topSpeedMps.text(2)) m/s)"),
            ("release angle", "\(averageAngle.text(0))\u{B0}"),
        ]
        if let averageDistanceFt, let averageDistanceM {
            figures.append(("distance", "\(averageDistanceFt.text(1)) ft (\(averageDistanceM.text(2)) m)"))
        }
        return figures
    }

    package var text: String { figures.map { "\($0.name) \($0.value)" }.joined(separator: ", ") }
}
