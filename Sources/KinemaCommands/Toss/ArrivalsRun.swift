import Foundation
import Kinema
import KinemaDraw
import KinemaToss

/// Watches the board from above from the first frame to the last.
struct ArrivalsRun: Sendable {
    var input: InputChoice
    var overlay: String?

    /// The result of a run, with what was noticed on the way.
    struct Outcome: Sendable {
        var report: ArrivalsReport
        var diagnostics: [Diagnostic]
    }

    init(input: InputChoice) {
        self.input = input
    }

    /// Reads and judges everything; an interrupted run returns what it has.
    func frames(_ interruption: Interruption? = nil) async throws -> Outcome {
        let reading = try await Reading(input)
        try reading.refuse(outputs: [overlay].compactMap(\.self))
        let writer = try overlay.map { try OverlayWriter(path: $0, timescale: reading.frames.timescale) }
        var report = ArrivalsReport(source: reading.source)
        var watch = BoardWatch()
        do {
            for try await element in reading.frames {
                report.frames += 1
                report.duration = element.id.rangeInSeconds.upperBound
                let frame = element.feature
                report.arrivals += watch.update(ColorGrid(try frame.bitmap()), at: frame.time)
                try await writer?.add(frame, poses: [], hud: HUD(lines: Self.lines(report.arrivals)))
                Console.shared.progress(
                    report.frames, of: reading.frameEstimate, note: "\(report.arrivals.count) bags")
                if interruption?.isRaised == true { break }
            }
        } catch is CancellationError {}
        report.arrivals += watch.finish()
        try await writer?.finish()
        return Outcome(report: report, diagnostics: reading.conclude())
    }

    private static func lines(_ arrivals: [BagArrival]) -> [String] {
        arrivals.suffix(4).map { String(format: "%.1f s  ", $0.time) + $0.landing.rawValue }
    }
}

/// Writes what came onto the board in the format asked for.
struct ArrivalsResults {
    let format: OutputFormat
    private let output = StandardOutput()

    init(format: OutputFormat) {
        self.format = format
    }

    /// Writes the whole report.
    func write(_ report: ArrivalsReport) throws {
        switch format {
        case .text:
            var lines = ["\(report.source): \(report.arrivals.count) bags, \(report.total) points"]
            lines += report.arrivals.map { String(format: "  %.2f s  ", $0.time) + $0.landing.rawValue }
            try output.line(lines.joined(separator: "\n"))
        case .csv:
            let rows = report.arrivals.map { String(format: "%.3f,%.3f,", $0.time, $0.settled) + $0.landing.rawValue }
            try output.line((["time,settled,landing"] + rows).joined(separator: "\n"))
        case .json, .jsonl:
            var json = JSONText()
            json.arrivals(report)
            json.newline()
            try output.write(json.bytes)
        }
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
