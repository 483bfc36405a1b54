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
