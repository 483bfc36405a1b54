import Foundation
import Kinema
import KinemaCore
import KinemaSynth
import KinemaToss

/// How judged games agree with their exact truth.
struct TossScore {
    /// A throw is found when one was told that began this near, seconds.
    static let nearness = 0.4
    /// What counts as right: the share of the true speed, and degrees.
    static let speedShare = 0.03
    static let degrees = 3.0

    private(set) var games = 0
    private(set) var boards = 0
    private(set) var equalTotals = 0
    private(set) var real = 0
    private(set) var found = 0
    private(set) var falseThrows = 0
    private(set) var types = 0
    private(set) var landings = 0
    private(set) var speedErrors: [Double] = []
    private(set) var angleErrors: [Double] = []

    /// Takes a game; tells in a line each how its throws were judged.
    mutating func add(_ truth: Truth.Toss, _ result: TossResult) -> [String] {
        games += 1
        if result.board != nil { boards += 1 }
        if result.total == truth.total { equalTotals += 1 }
        var rest = result.throwList
        var lines = result.board == nil ? ["no board"] : []
        for one in truth.flights {
            real += 1
            let text = String(
                format: "%6.2f s %@ %.2f m/s %.1f\u{B0} %@", one.start, one.type.rawValue as NSString, one.speed,
                one.angle, one.landing.rawValue as NSString)
            guard let index = rest.indices.min(by: { gap(rest[$0], one) < gap(rest[$1], one) }),
                gap(rest[index], one) < Self.nearness
            else {
                lines.append(text + ": missed")
                continue
            }
            lines.append(text + ": " + take(rest.remove(at: index), one))
        }
        falseThrows += rest.count
        lines += rest.map { "nothing was thrown: " + $0.line }
        return lines
    }

    private func gap(_ one: ThrowResult, _ truth: Truth.Toss.Throw) -> Double { abs(one.start - truth.start) }

    private mutating func take(_ found: ThrowResult, _ truth: Truth.Toss.Throw) -> String {
        self.found += 1
        let speed = found.speedMps / truth.speed - 1
        let angle = found.angle - truth.angle
        speedErrors.append(abs(speed))
        angleErrors.append(abs(angle))
        let isType = found.type == truth.type.rawValue
        let isLanding = found.landing == truth.landing.rawValue
        types += isType ? 1 : 0
        landings += isLanding ? 1 : 0
        let marks =
            (isType ? "" : "  < \(found.type)")
            + (isLanding ? "" : "  < \(found.landing)") + (abs(speed) > Self.speedShare ? "  < speed" : "")
            + (abs(angle) > Self.degrees ? "  < angle" : "")
        return String(
            format: "speed %+.1f %%, angle %+.1f\u{B0}, release %+.3f s", speed * 100, angle,
            found.start - truth.start)
            + marks
    }

    private func share(_ count: Int, of total: Int) -> Double { total > 0 ? Double(count) / Double(total) : 0 }

    private func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }

    /// Each measure with its name, in order.
    private var measures: [(name: String, key: String, value: Double)] {
        [
            ("boards found", "boards", share(boards, of: games)), ("throws found", "found", share(found, of: real)),
            ("type right", "type", share(types, of: found)),
            ("speed within 3 %", "speed", share(speedErrors.count { $0 <= Self.speedShare }, of: found)),
            ("angle within 3 degrees", "angle", share(angleErrors.count { $0 <= Self.degrees }, of: found)),
            ("landing right", "landing", share(landings, of: found)),
            ("totals equal", "total", share(equalTotals, of: games)),
        ]
    }

    var text: String {
        let head =
            "\(PlainText.counted(games, "game")), \(PlainText.counted(real, "throw")), \(falseThrows) told that were none"
        let middle = String(
            format: "median error: speed %.2f %%, angle %.2f\u{B0}", median(speedErrors) * 100, median(angleErrors))
        return ([head] + measures.map { "\($0.name): " + String(format: "%.3f", $0.value) } + [middle])
            .joined(separator: "\n")
    }

    var json: String {
        var json = JSONText()
        json.object { json in
            for (key, value) in [("games", games), ("throws", real), ("false_throws", falseThrows)] {
                json.key(key)
                json.integer(value)
            }
            for measure in measures {
                json.key(measure.key)
                json.number(measure.value, decimals: 4)
            }
            json.key("median_speed_error")
            json.number(median(speedErrors), decimals: 5)
            json.key("median_angle_error")
            json.number(median(angleErrors), decimals: 3)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}
