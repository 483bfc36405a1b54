import Foundation
import KinemaCommands
import Kinema
import KinemaSynth

struct TossScore {
    /// The largest difference in time between a throw and its result, in seconds.
    static let timeTolerance = 0.4
    /// The tolerances for speed, as a share of the true speed, and for angles, in degrees.
    static let speedTolerance = 0.03
    static let angleTolerance = 3.0

    private(set) var games = 0
    private(set) var boards = 0
    private(set) var equalTotals = 0, real = 0, found = 0, falseThrows = 0, types = 0, landings = 0
    private(set) var speedErrors: [Double] = []
    private(set) var angleErrors: [Double] = []
    /// The errors of the throw's and the player's distance, as shares of the true one.
    private(set) var distanceErrors: [Double] = []
    private(set) var playerErrors: [Double] = []
    /// The largest distance between an end of the line to throw from and its true place, in picture heights.
    private(set) var lineErrors: [Double] = []
    /// The squared error of each type's confidence, 1 being right; the mean is the Brier score.
    private(set) var typeErrors: [Double] = []

    mutating func add(_ truth: Truth.Toss, _ result: TossResult) -> [String] {
        games += 1
        if result.board != nil { boards += 1 }
        if result.total == truth.total { equalTotals += 1 }
        if let line = result.summary.line, let aspectRatio = result.summary.aspectRatio {
            lineErrors.append(Self.gap(line.ends, truth.line, aspectRatio))
        }
        var unmatched = result.throwList
        var lines = result.board == nil ? ["no board"] : []
        for one in truth.flights {
            real += 1
            let text = String(
                format: "%6.2f s %@ %.2f m/s %.1f\u{B0} %@", one.start, one.type.rawValue as NSString, one.speed,
                one.angle, one.landing.rawValue as NSString)
            guard let index = unmatched.indices.min(by: { gap(unmatched[$0], one) < gap(unmatched[$1], one) }),
                gap(unmatched[index], one) < Self.timeTolerance
            else {
                lines.append(text + ": missed")
                continue
            }
            let found = unmatched.remove(at: index)
            if let distance = found.playerDistanceM {
                playerErrors.append(abs(distance / truth.playerDistance - 1))
            }
            lines.append(text + ": " + compare(found, one))
        }
        falseThrows += unmatched.count
        lines += unmatched.map { "false throw: " + $0.line }
        return lines
    }

    /// The distance of two lines in picture heights; their ends may be in any order.
    private static func gap(_ one: [[Double]], _ other: [[Double]], _ aspectRatio: Double) -> Double {
        guard one.count == 2, other.count == 2, (one + other).allSatisfy({ $0.count == 2 }) else { return .infinity }
        func apart(_ order: [[Double]]) -> Double {
            zip(one, order).map { hypot(($0[0] - $1[0]) * aspectRatio, $0[1] - $1[1]) }.max() ?? .infinity
        }
        return min(apart(other), apart(other.reversed()))
    }

    private func gap(_ one: ThrowResult, _ truth: Truth.Toss.Throw) -> Double { abs(one.start - truth.start) }

    private mutating func compare(_ found: ThrowResult, _ truth: Truth.Toss.Throw) -> String {
        self.found += 1
        let speed = found.speedMps / truth.speed - 1
        let angle = found.angle - truth.angle
        speedErrors.append(abs(speed))
        angleErrors.append(abs(angle))
        let isTypeCorrect = found.type == truth.type.rawValue
        let isLandingCorrect = found.landing == truth.landing.rawValue
        let distance = (found.distanceM ?? 0) / truth.distance - 1
        distanceErrors.append(abs(distance))
        typeErrors.append(pow((isTypeCorrect ? 1 : 0) - (found.typeConfidence ?? 0), 2))
        types += isTypeCorrect ? 1 : 0
        landings += isLandingCorrect ? 1 : 0
        let marks =
            (isTypeCorrect ? "" : "  < \(found.type)")
            + (isLandingCorrect ? "" : "  < \(found.landing)") + (abs(speed) > Self.speedTolerance ? "  < speed" : "")
            + (abs(angle) > Self.angleTolerance ? "  < angle" : "")
        return String(
            format: "speed %+.1f %%, angle %+.1f\u{B0}, distance %+.1f %%, release %+.3f s, type %.2f", speed * 100,
            angle, distance * 100, found.start - truth.start, found.typeConfidence ?? 0)
            + marks
    }

    private func share(_ count: Int, of total: Int) -> Double { total > 0 ? Double(count) / Double(total) : 0 }

    private func median(_ errors: [Double]) -> Double { errors.quantile(0.5) ?? 0 }

    private var brier: Double { typeErrors.isEmpty ? 0 : typeErrors.reduce(0, +) / Double(typeErrors.count) }

    private var measures: [Measure] {
        [
            ("boards found", "boards", share(boards, of: games)), ("throws found", "found", share(found, of: real)),
            ("type correct", "type", share(types, of: found)),
            ("speed within 3 %", "speed", share(speedErrors.count { $0 <= Self.speedTolerance }, of: found)),
            ("angle within 3 degrees", "angle", share(angleErrors.count { $0 <= Self.angleTolerance }, of: found)),
            ("distance within 3 %", "distance", share(distanceErrors.count { $0 <= Self.speedTolerance }, of: found)),
            ("landing correct", "landing", share(landings, of: found)),
            ("totals correct", "total", share(equalTotals, of: games)),
        ]
    }

    var text: String {
        let head =
            "\(PlainText.counted(games, "game")), \(PlainText.counted(real, "throw")), "
            + PlainText.counted(falseThrows, "false throw")
        let middle = String(
            format: "median error: speed %.2f %%, angle %.2f\u{B0}, distance %.2f %%, player's distance %.2f %%, "
                + "line %.3f of the frame's height; Brier score of the type %.3f", median(speedErrors) * 100,
            median(angleErrors), median(distanceErrors) * 100, median(playerErrors) * 100, median(lineErrors), brier)
        return ([head] + measures.map { "\($0.name): \($0.value.text(3))" } + [middle]).joined(separator: "\n")
    }

    var fields: [EvaluationTable.Field] {
        [("games", .integer(games)), ("throws", .integer(real)), ("false_throws", .integer(falseThrows))]
            + measures.map { ($0.key, .number($0.value, decimals: 4)) } + [
                ("median_speed_error", .number(median(speedErrors), decimals: 5)),
                ("median_angle_error", .number(median(angleErrors), decimals: 3)),
                ("median_distance_error", .number(median(distanceErrors), decimals: 5)),
                ("median_player_distance_error", .number(median(playerErrors), decimals: 5)),
                ("median_line_error", .number(median(lineErrors), decimals: 4)),
                ("type_brier", .number(brier, decimals: 4)),
            ]
    }
}
