import Foundation
import Kinema

/// Writes flights to standard output in the format asked for.
struct TrajectoriesResults: Sendable {
    let format: OutputFormat
    let aspectRatio: Double
    private let output = StandardOutput()

    init(format: OutputFormat, aspectRatio: Double) {
        self.format = format
        self.aspectRatio = aspectRatio
    }

    /// Writes a flight that is over as a line of JSON Lines.
    func write(_ flight: Flight) throws {
        guard format == .jsonl else { return }
        var json = JSONText()
        json.flight(flight, aspectRatio)
        json.newline()
        try output.write(json.bytes)
    }

    /// Writes the whole report; nothing more in JSON Lines.
    func write(_ report: TrajectoriesReport) throws {
        switch format {
        case .text: try output.line(text(report))
        case .csv: try output.write(table(report))
        case .jsonl: break
        case .json:
            var json = JSONText()
            json.report(report, aspectRatio)
            json.newline()
            try output.write(json.bytes)
        }
    }

    private func text(_ report: TrajectoriesReport) -> String {
        func format(_ value: Double, _ decimals: Int = 2) -> String { String(format: "%.\(decimals)f", value) }
        let run = report.outcome
        let speed = run.seconds > 0 ? format(Double(run.frames) / run.seconds, 1) : "-"
        var lines = [
            "\(PlainText.oneLine(report.source)): \(PlainText.counted(report.flights.count, "flight")) in \(format(run.duration, 1)) s "
                + "(\(PlainText.counted(run.frames, "frame")), \(speed) frames/s)"
        ]
        for (number, flight) in report.flights.enumerated() {
            let seen = flight.observation(length: flight.points.count, aspectRatio: aspectRatio)
            let (a, b, c) = (
                seen.equationCoefficients.x, seen.equationCoefficients.y, seen.equationCoefficients.z
            )
            lines.append(
                "  \(number + 1).  \(format(flight.start)) to \(format(flight.end)) s, \(PlainText.counted(flight.points.count, "point")), "
                    + "y = \(format(Double(a), 3)) x² + \(format(Double(b), 3)) x + \(format(Double(c), 3)), "
                    + "confidence \(format(flight.confidence))")
        }
        return lines.joined(separator: "\n")
    }

    private func table(_ report: TrajectoriesReport) -> [UInt8] {
        var bytes = Array("trajectory,id,start,end,a,b,c,confidence,radius,points\n".utf8)
        for (number, flight) in report.flights.enumerated() {
            let seen = flight.observation(length: flight.points.count, aspectRatio: aspectRatio)
            var line = JSONText()
            line.integer(number + 1)
            bytes += line.bytes + Array(",\(flight.id.uuidString),".utf8)
            line = JSONText()
            line.number(flight.start, decimals: 4)
            line.number(flight.end, decimals: 4)
            line.coefficients(seen)
            line.number(flight.confidence, decimals: 4)
            line.number(flight.radius, decimals: 6)
            line.integer(flight.points.count)
            line.newline()
            bytes += line.bytes
        }
        return bytes
    }
}

extension JSONText {
    fileprivate mutating func coefficients(_ seen: TrajectoryObservation) {
        for index in 0..<3 { number(Double(seen.equationCoefficients[index]), decimals: 6) }
    }

    fileprivate mutating func report(_ report: TrajectoriesReport, _ aspectRatio: Double) {
        object { json in
            json.key("source")
            json.string(report.source)
            json.key("duration")
            json.number(report.outcome.duration, decimals: 6)
            json.frames(report.outcome.frames, live: report.outcome.live)
            json.key("trajectories")
            json.array { list in report.flights.forEach { list.flight($0, aspectRatio) } }
        }
    }

    fileprivate mutating func flight(_ flight: Flight, _ aspectRatio: Double) {
        let seen = flight.observation(length: flight.points.count, aspectRatio: aspectRatio)
        object { json in
            json.key("id")
            json.string(flight.id.uuidString)
            json.key("start")
            json.number(flight.start, decimals: 6)
            json.key("end")
            json.number(flight.end, decimals: 6)
            json.key("coefficients")
            json.array { $0.coefficients(seen) }
            json.key("confidence")
            json.number(flight.confidence, decimals: 4)
            json.key("detectedPoints")
            json.array { list in seen.detectedPoints.forEach { list.numbers([$0.x, $0.y]) } }
            json.key("projectedPoints")
            json.array { list in seen.projectedPoints.forEach { list.numbers([$0.x, $0.y]) } }
            json.key("times")
            json.array { list in seen.detectedTimes.forEach { list.number($0, decimals: 6) } }
            json.key("radius")
            json.number(flight.radius, decimals: 6)
        }
    }
}
