import Foundation
import KinemaToss

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
