import Foundation
import Kinema
import KinemaToss

extension ArrivalsReport: FormattedResults {
    var text: String {
        var lines = ["\(PlainText.oneLine(source)): \(PlainText.counted(arrivals.count, "bag")), \(PlainText.counted(total, "point"))"]
        lines += arrivals.map { String(format: "  %.2f s  ", $0.time) + $0.landing.rawValue }
        return lines.joined(separator: "\n")
    }

    var table: String {
        let rows = arrivals.map { String(format: "%.3f,%.3f,", $0.time, $0.settled) + $0.landing.rawValue }
        return (["time,settled,landing"] + rows).map { $0 + "\n" }.joined()
    }

    func write(to json: inout JSONText) {
        json.arrivals(self)
    }
}

extension JSONText {
    fileprivate mutating func arrivals(_ report: ArrivalsReport) {
        object { json in
            json.key("source")
            json.string(report.source)
            json.key("duration")
            json.number(report.duration, decimals: 6)
            json.key("frames")
            json.integer(report.frames)
            json.key("arrivals")
            json.array { list in
                for arrival in report.arrivals {
                    list.object { entry in
                        entry.key("time")
                        entry.number(arrival.time, decimals: 4)
                        entry.key("settled")
                        entry.number(arrival.settled, decimals: 4)
                        entry.key("landing")
                        entry.string(arrival.landing.rawValue)
                        entry.key("score")
                        entry.integer(Scoring(arrival.landing, type: .none).rawValue)
                        entry.key("point")
                        entry.numbers([arrival.location.x, arrival.location.y])
                    }
                }
            }
            json.key("total")
            json.integer(report.total)
        }
    }
}
