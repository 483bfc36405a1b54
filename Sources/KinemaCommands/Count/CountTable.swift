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
            try output.line(
                Self.pad("file", 28) + Self.pad("exercise", 20) + Self.pad("truth", 11) + Self.pad("counted", 9)
                    + "seconds")
        case .csv: try output.line("file,exercise,reps,reps_low,reps_high,counted,seconds")
        case .json: try output.line("{\"rows\":[")
        case .jsonl: break
        }
    }

    /// Writes a clip's row; `seconds` is how long counting it took.
    mutating func row(_ row: CountLabel, counted: Int, seconds: TimeInterval) throws {
        let (reps, range) = (row.repetitions, row.range)
        switch format {
        case .text:
            let truth = range.count > 1 ? "\(reps) (\(range.lowerBound)-\(range.upperBound))" : "\(reps)"
            let mark = range.contains(counted) || reps == counted ? "" : "  <"
            try output.line(
                Self.pad(row.file, 28) + Self.pad(row.exercise, 20) + Self.pad(truth, 11)
                    + Self.pad("\(counted)", 9) + String(format: "%.1f", seconds) + mark)
        case .csv:
            try output.line(
                "\(DelimitedText.cell(row.file)),\(DelimitedText.cell(row.exercise)),\(reps),"
                    + "\(range.lowerBound),\(range.upperBound),\(counted),\(String(format: "%.2f", seconds))")
        case .json, .jsonl:
            var json = JSONText()
            json.object { json in
                json.key("file")
                json.string(row.file)
                json.key("exercise")
                json.string(row.exercise)
                json.key("reps")
                json.integer(reps)
                json.key("reps_low")
                json.integer(range.lowerBound)
                json.key("reps_high")
                json.integer(range.upperBound)
                json.key("counted")
                json.integer(counted)
                json.key("seconds")
                json.number(seconds, decimals: 2)
            }
            if format == .jsonl { json.newline() }
            try output.write((format == .json && !isFirst ? Array(",\n".utf8) : []) + json.bytes)
        }
        isFirst = false
    }

    /// Writes the measures, each with the range that holds it with 95 % confidence; those of the clips as they are
    /// first.
    func end(_ score: CountingScore, _ variations: [CountVariation: CountingScore]) throws {
        let measures = CountMeasures(score)
        let varied = CountVariation.allCases.compactMap { kind in
            variations[kind].map { (name: kind.rawValue, measures: CountMeasures($0)) }
        }
        let lines =
            ["\(PlainText.counted(score.clips.count, "clip")): \(measures.text)"]
            + varied.map { "\($0.name): \($0.measures.text)" }
        switch format {
        case .text: for line in lines { try output.line(line) }
        // A table has one kind of row; the measures follow the clips as comments.
        case .csv: for line in lines { try output.line("# " + line) }
        case .json, .jsonl:
            var json = JSONText()
            json.key("clips")
            json.integer(score.clips.count)
            measures.write(to: &json)
            if !varied.isEmpty {
                json.key("varied")
                json.array { json in
                    for one in varied {
                        json.object { json in
                            json.key("as")
                            json.string(one.name)
                            one.measures.write(to: &json)
                        }
                    }
                }
            }
            try output.write(Array((format == .json ? "],\n" : "{").utf8) + json.bytes + Array("}\n".utf8))
        }
    }

    static func pad(_ text: String, _ width: Int) -> String {
        let text = PlainText.oneLine(text)
        return text + String(repeating: " ", count: max(1, width - text.count))
    }
}
