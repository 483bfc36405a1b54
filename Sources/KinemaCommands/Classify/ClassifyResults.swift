import Foundation
import Kinema

/// Writes what was done to standard output in the format asked for.
struct ClassifyResults {
    let format: OutputFormat
    private let output = StandardOutput()

    init(format: OutputFormat) {
        self.format = format
    }

    /// Writes a prediction as a line of JSON Lines.
    func write(_ prediction: ActionPrediction, at time: TimeInterval) throws {
        var json = JSONText()
        json.object { json in
            json.key("time")
            json.number(time, decimals: 4)
            json.key("label")
            json.label(prediction.label)
            json.key("confidence")
            json.number(prediction.confidence, decimals: 4)
            json.key("probabilities")
            json.object { list in
                for (label, probability) in prediction.labelProbabilities.sorted(by: { $0.key < $1.key }) {
                    list.key(label)
                    list.number(probability, decimals: 4)
                }
            }
        }
        json.newline()
        try output.write(json.bytes)
    }

    /// Writes the whole report.
    func write(_ report: ClassifyReport) throws {
        switch format {
        case .text: try output.line(text(report))
        case .csv: try output.write(table(report))
        case .json, .jsonl:
            var json = JSONText()
            json.report(report)
            json.newline()
            try output.write(json.bytes)
        }
    }

    private func text(_ report: ClassifyReport) -> String {
        func one(_ value: Double) -> String { String(format: "%.1f", value) }
        var lines = ["\(report.source): \(one(report.duration)) s, \(report.frames) frames"]
        if report.framesWithSomeone == 0 { lines.append("nobody found") }
        lines += report.segments.map { segment in
            "  \(one(segment.start)) to \(one(segment.end)) s  \(segment.label ?? "(none of the classes)")  "
                + "\(Int((segment.confidence * 100).rounded())) %"
        }
        return lines.joined(separator: "\n")
    }

    private func table(_ report: ClassifyReport) -> [UInt8] {
        var text = "start,end,label,confidence\n"
        for segment in report.segments {
            text += String(format: "%.3f,%.3f,", segment.start, segment.end)
            text += DelimitedTable.cell(segment.label ?? "") + String(format: ",%.4f\n", segment.confidence)
        }
        return Array(text.utf8)
    }
}

extension JSONText {
    fileprivate mutating func label(_ label: String?) {
        if let label { string(label) } else { null() }
    }

    fileprivate mutating func report(_ report: ClassifyReport) {
        object { json in
            json.key("source")
            json.string(report.source)
            json.key("duration")
            json.number(report.duration, decimals: 6)
            json.frames(report.frames, live: report.live)
            json.key("segments")
            json.array { list in
                for segment in report.segments {
                    list.object { entry in
                        entry.key("start")
                        entry.number(segment.start, decimals: 4)
                        entry.key("end")
                        entry.number(segment.end, decimals: 4)
                        entry.key("label")
                        entry.label(segment.label)
                        entry.key("confidence")
                        entry.number(segment.confidence, decimals: 4)
                    }
                }
            }
        }
    }
}
