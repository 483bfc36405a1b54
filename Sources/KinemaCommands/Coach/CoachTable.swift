import Foundation
import Kinema

/// The table of `kinema evaluate coach`, row by row, and its shares.
struct CoachTable {
    let format: OutputFormat
    private let output = StandardOutput()
    private var rows = 0
    private var clips = 0
    private var exact = 0
    private var offByOne = 0
    private var named = 0

    init(format: OutputFormat) {
        self.format = format
    }

    func begin() throws {
        switch format {
        case .text:
            try output.line(
                pad("file", 26) + pad("exercise", 19) + pad("recognised", 17) + pad("truth", 12) + "counted")
        case .csv: try output.line("file,exercise,recognised,reps,reps_low,reps_high,counted")
        case .json: try output.line("{\"rows\":[")
        case .jsonl: break
        }
    }

    mutating func row(_ trial: CoachTrial) throws {
        let (label, recognised) = (trial.label, trial.recognised?.name)
        if let exercise = trial.exercise, let error = trial.error {
            clips += 1
            if error == 0 { exact += 1 }
            if error <= 1 { offByOne += 1 }
            if recognised == exercise.name { named += 1 }
        }
        let count = trial.counted.map(String.init)
        switch format {
        case .text:
            let range = label.range
            let truth =
                range.count > 1
                ? "\(label.repetitions) (\(range.lowerBound)-\(range.upperBound))" : "\(label.repetitions)"
            let wrong = trial.exercise != nil && (trial.error != 0 || recognised != trial.exercise?.name)
            try output.line(
                pad(label.file, 26) + pad(label.exercise, 19) + pad(recognised ?? "-", 17) + pad(truth, 12)
                    + (count ?? "-") + (wrong ? "  <" : ""))
        case .csv:
            try output.line(
                "\(DelimitedText.cell(label.file)),\(DelimitedText.cell(label.exercise)),\(recognised ?? ""),"
                    + "\(label.repetitions),\(label.range.lowerBound),\(label.range.upperBound),\(count ?? "")")
        case .json, .jsonl:
            var json = JSONText()
            json.object { json in
                for (name, text) in [("file", label.file), ("exercise", label.exercise)] {
                    json.key(name)
                    json.string(text)
                }
                json.key("recognised")
                if let recognised { json.string(recognised) } else { json.null() }
                json.key("reps")
                json.integer(label.repetitions)
                json.key("counted")
                if let counted = trial.counted { json.integer(counted) } else { json.null() }
            }
            if format == .jsonl { json.newline() }
            try output.write((format == .json && rows > 0 ? Array(",\n".utf8) : []) + json.bytes)
        }
        rows += 1
    }

    func end() throws {
        func share(_ part: Int) -> Double { clips == 0 ? 0 : Double(part) / Double(clips) }
        func three(_ value: Double) -> String { String(format: "%.3f", value) }
        switch format {
        case .text:
            try output.line(
                "\(PlainText.counted(clips, "clip")) of known exercises: within one \(three(share(offByOne))), exact "
                    + "\(three(share(exact))), recognised \(three(share(named)))")
        case .csv: break
        case .json, .jsonl:
            var json = JSONText()
            json.key("clips")
            json.integer(clips)
            for (name, part) in [("obo", offByOne), ("exact", exact), ("recognised", named)] {
                json.key(name)
                json.number(share(part))
            }
            try output.write(Array((format == .json ? "],\n" : "{").utf8) + json.bytes + Array("}\n".utf8))
        }
    }

    private func pad(_ text: String, _ width: Int) -> String {
        let text = PlainText.oneLine(text)
        return text + String(repeating: " ", count: max(1, width - text.count))
    }
}
