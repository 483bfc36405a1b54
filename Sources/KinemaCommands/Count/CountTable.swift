import Foundation
import Kinema

/// The table of `kinema evaluate count`, row by row.
struct CountTable {
    let format: OutputFormat
    private let output = StandardOutput()
    private var isFirst = true

    init(format: OutputFormat) {
        self.format = format
    }

    func begin() throws {
        switch format {
        case .text:
            try output.line(Self.pad("file", 28) + Self.pad("exercise", 20) + Self.pad("truth", 8) + "counted")
        case .csv: try output.line("file,exercise,reps,reps_low,reps_high,counted")
        case .json: try output.line("{\"rows\":[")
        case .jsonl: break
        }
    }

    mutating func row(_ row: CountLabel, counted: Int) throws {
        let (reps, range) = (row.repetitions, row.range)
        switch format {
        case .text:
            let truth = range.count > 1 ? "\(reps) (\(range.lowerBound)-\(range.upperBound))" : "\(reps)"
            let mark = range.contains(counted) || reps == counted ? "" : "  <"
            try output.line(
                Self.pad(row.file, 28) + Self.pad(row.exercise, 20) + Self.pad(truth, 11) + "\(counted)\(mark)")
        case .csv:
            try output.line(
                "\(DelimitedTable.cell(row.file)),\(DelimitedTable.cell(row.exercise)),\(reps),"
                    + "\(range.lowerBound),\(range.upperBound),\(counted)")
        case .json, .jsonl:
            var json = JSONText()
            json.object { json in
                json.key("file")
                json.string(row.file)
                json.key("exercise")
                json.string(row.exercise)
                json.key("reps")
                json.integer(reps)
                json.key("counted")
                json.integer(counted)
            }
            if format == .jsonl { json.newline() }
            try output.write((format == .json && !isFirst ? Array(",\n".utf8) : []) + json.bytes)
        }
        isFirst = false
    }

    func end(_ score: CountingScore) throws {
        switch format {
        case .text:
            func three(_ value: Double) -> String { String(format: "%.3f", value) }
            try output.line(
                "\(score.clips.count) clips: MAE \(three(score.meanAbsoluteError)), OBO \(three(score.offByOne)), "
                    + "exact \(three(score.exact))")
        case .csv: break
        case .json, .jsonl:
            var json = JSONText()
            json.key("clips")
            json.integer(score.clips.count)
            json.key("mae")
            json.number(score.meanAbsoluteError)
            json.key("obo")
            json.number(score.offByOne)
            json.key("exact")
            json.number(score.exact)
            try output.write(Array((format == .json ? "],\n" : "{").utf8) + json.bytes + Array("}\n".utf8))
        }
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
