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

    /// Writes the row of a clip; `seconds` is the time that counting took.
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

    /// Writes the measures with their 95 % confidence intervals, first those of the unchanged clips.
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
        // A table has one kind of row, so the measures follow the clips as comments.
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

/// A labelled clip.
struct CountLabel: Sendable {
    let file: String
    let path: String
    let exercise: String
    let repetitions: Int
    /// The counts that are correct.
    let range: ClosedRange<Int>

    /// The result of counting this clip.
    func clip(counted: Int) -> CountingScore.Clip {
        CountingScore.Clip(count: counted, repetitions: repetitions, range: range)
    }

    /// Reads a table of labels.
    ///
    /// Throws `.unreadableInput` with the row if a column is missing, a number is invalid or a clip does not exist.
    static func read(_ url: URL) throws -> [CountLabel] {
        let table = try DelimitedTable(contentsOf: url, remedy: "name a CSV file with labels")
        guard let reps = ["reps", "count"].first(where: table.header.contains), table.header.contains("file") else {
            let missing = table.header.contains("file") ? "reps" : "file"
            throw KinemaError(
                .unreadableInput,
                "has no column \(missing); the first row must name the columns file and reps (or count)", file: url.path
            )
        }
        guard !table.rows.isEmpty else { throw KinemaError(.unreadableInput, "names no clip", file: url.path) }
        // Number rows as in the file, where the header is the first.
        return try table.rows.enumerated().map { try CountLabel($1, reps: reps, number: $0 + 2, in: url) }
    }

    private init(_ row: [String: String], reps column: String, number: Int, in url: URL) throws {
        func wrong(_ what: String) -> KinemaError {
            KinemaError(.unreadableInput, "row \(number): \(what)", file: url.path)
        }
        func count(_ column: String) throws -> Int? {
            guard let cell = row[column]?.trimmingCharacters(in: .whitespaces), !cell.isEmpty else { return nil }
            // Nobody does more in a clip, and sums stay in range.
            guard let value = Int(cell), (0...1_000_000).contains(value) else {
                throw wrong("\(column) is \"\(cell)\", not a whole number from 0 to 1000000")
            }
            return value
        }
        file = row["file"] ?? ""
        guard !file.isEmpty else { throw wrong("there is no file") }
        guard let reps = try count(column) else { throw wrong("there are no \(column) for \(file)") }
        let (low, high) = (try count("reps_low") ?? reps, try count("reps_high") ?? reps)
        guard low <= high else { throw wrong("reps_low \(low) is more than reps_high \(high)") }
        path = url.deletingLastPathComponent().appending(path: file).path
        guard FileManager.default.fileExists(atPath: path) else { throw wrong("\(file) is not beside the table") }
        exercise = row["exercise"] ?? ""
        repetitions = reps
        range = low...high
    }
}

/// The measures of the repetition counting literature with bootstrap intervals, as text and JSON.
struct CountMeasures {
    private let all: [(name: String, key: String, estimate: CountingScore.Estimate)]

    init(_ score: CountingScore) {
        all = [
            ("MAE", "mae", score.estimate(\.meanAbsoluteError)), ("OBO", "obo", score.estimate(\.offByOne)),
            ("exact", "exact", score.estimate(\.exact)),
        ]
    }

    /// `MAE 0.027 [0.000, 0.065], OBO …`.
    var text: String {
        func three(_ value: Double) -> String { String(format: "%.3f", value) }
        return all.map { name, _, estimate in
            let interval = estimate.interval
            return "\(name) \(three(estimate.value)) [\(three(interval.lowerBound)), \(three(interval.upperBound))]"
        }.joined(separator: ", ")
    }

    /// Writes `mae`, `mae_interval` and so on to an open object.
    func write(to json: inout JSONText) {
        for (_, key, estimate) in all {
            json.key(key)
            json.number(estimate.value)
            json.key(key + "_interval")
            json.numbers([estimate.interval.lowerBound, estimate.interval.upperBound])
        }
    }
}
