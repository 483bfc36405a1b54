import Foundation
import Kinema

extension ClassifyReport: FormattedResults {
    var text: String {
        func one(_ value: Double) -> String { String(format: "%.1f", value) }
        var lines = ["\(PlainText.oneLine(source)): \(one(duration)) s, \(PlainText.counted(frames, "frame"))"]
        if framesWithSomeone == 0 { lines.append("nobody found") }
        lines += segments.map { segment in
            "  \(one(segment.start)) to \(one(segment.end)) s  \(segment.label.map(PlainText.oneLine) ?? "(none of the classes)")  "
                + "\(Int((segment.confidence * 100).rounded())) %"
        }
        return lines.joined(separator: "\n")
    }

    var table: String {
        var text = "start,end,label,confidence\n"
        for segment in segments {
            text += String(format: "%.3f,%.3f,", segment.start, segment.end)
            text += DelimitedText.cell(segment.label ?? "") + String(format: ",%.4f\n", segment.confidence)
        }
        return text
    }

    func write(to json: inout JSONText) {
        json.report(self)
    }
}

extension ActionPrediction {
    /// The line of JSON Lines that tells it, with its time in seconds.
    func write(to json: inout JSONText, at time: TimeInterval) {
        json.object { json in
            json.key("time")
            json.number(time, decimals: 4)
            json.key("label")
            json.label(label)
            json.key("confidence")
            json.number(confidence, decimals: 4)
            json.key("probabilities")
            json.object { list in
                for (label, probability) in labelProbabilities.sorted(by: { $0.key < $1.key }) {
                    list.key(label)
                    list.number(probability, decimals: 4)
                }
            }
        }
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
