import Foundation
import Kinema
import KinemaToss

extension TossReport: FormattedResults {
    var text: String {
        let score = PlainText.counted(stats.totalScore, "point")
        var lines = ["\(PlainText.oneLine(source)): \(PlainText.counted(stats.throwCount, "throw")), \(score)"]
        lines += completedThrows.map { "  " + $0.line }
        if let speed = stats.averageSpeed, let angle = stats.averageLaunchAngle {
            lines.append(
                String(
                    format: "average %.1f mph, %.0f\u{B0}; top speed %.1f mph", speed * TossRules.milesPerHour, angle,
                    stats.topSpeed * TossRules.milesPerHour))
        }
        return lines.joined(separator: "\n")
    }

    var table: String {
        let rows = completedThrows.map { one -> String in
            let metrics = one.metrics
            let arm = metrics.releaseAngle.map { String(format: "%.2f", $0) } ?? ""
            return "\(one.number),\(metrics.throwType.rawValue.lowercased()),"
                + String(
                    format: "%.2f,%.3f,%.2f,%@,%d,%@,%.3f,%.3f", metrics.releaseSpeedMilesPerHour,
                    metrics.releaseSpeed, metrics.launchAngle, arm as NSString, metrics.score.rawValue,
                    metrics.landing.rawValue as NSString, metrics.start, metrics.end)
        }
        return (["throw,type,speed_mph,speed_mps,angle,arm_angle,score,landing,start,end"] + rows)
            .map { $0 + "\n" }.joined()
    }

    func write(to json: inout JSONText) {
        json.report(self)
    }
}

extension TossThrow {
    /// A throw in a line for people.
    var line: String {
        let speed = String(format: "%.1f mph (%.2f m/s)", metrics.releaseSpeedMilesPerHour, metrics.releaseSpeed)
        let times = String(format: "%.2f to %.2f s", metrics.start, metrics.end)
        return "\(number).  \(times)  \(metrics.throwType.rawValue.lowercased()), \(speed), "
            + String(format: "%.0f\u{B0}", metrics.launchAngle)
            + ", \(metrics.landing.rawValue)  +\(metrics.score.rawValue)"
    }

    /// The line of JSON Lines that tells it.
    func write(to json: inout JSONText) {
        json.object { json in
            json.key("throw")
            json.object { $0.members(self) }
        }
    }
}

extension JSONText {
    fileprivate mutating func members(_ one: TossThrow) {
        let metrics = one.metrics
        key("number")
        integer(one.number)
        key("type")
        string(metrics.throwType.rawValue.lowercased())
        key("speed_mph")
        number(metrics.releaseSpeedMilesPerHour, decimals: 2)
        key("speed_mps")
        number(metrics.releaseSpeed, decimals: 3)
        key("angle")
        number(metrics.launchAngle, decimals: 2)
        key("arm_angle")
        if let angle = metrics.releaseAngle { number(angle, decimals: 2) } else { null() }
        key("score")
        integer(metrics.score.rawValue)
        key("landing")
        string(metrics.landing.rawValue)
        key("start")
        number(metrics.start, decimals: 4)
        key("end")
        number(metrics.end, decimals: 4)
        key("point")
        numbers([metrics.finalBagLocation.x, metrics.finalBagLocation.y])
        key("path")
        array { list in
            for spot in one.spots { list.numbers([spot.time, spot.point.x, spot.point.y]) }
        }
    }

    fileprivate mutating func report(_ report: TossReport) {
        object { json in
            json.key("source")
            json.string(report.source)
            json.key("duration")
            json.number(report.duration, decimals: 6)
            json.frames(report.frames, live: report.live)
            json.key("board")
            if let board = report.board { json.object { $0.members(board) } } else { json.null() }
            json.key("throws")
            json.array { list in report.completedThrows.forEach { one in list.object { $0.members(one) } } }
            json.key("total")
            json.integer(report.stats.totalScore)
            json.key("average_speed_mps")
            if let speed = report.stats.averageSpeed { json.number(speed, decimals: 3) } else { json.null() }
            json.key("average_angle")
            if let angle = report.stats.averageLaunchAngle { json.number(angle, decimals: 2) } else { json.null() }
            json.key("top_speed_mps")
            json.number(report.stats.topSpeed, decimals: 3)
        }
    }

    private mutating func members(_ board: TossBoardPlace) {
        key("box")
        numbers([board.box.minX, board.box.minY, board.box.width, board.box.height])
        key("corners")
        array { list in board.corners.forEach { list.numbers([$0.x, $0.y]) } }
        key("hole")
        if let hole = board.hole { numbers([hole.x, hole.y]) } else { null() }
        key("confidence")
        number(Double(board.confidence), decimals: 3)
    }
}
