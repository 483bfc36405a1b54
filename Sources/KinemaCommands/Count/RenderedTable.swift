import Foundation
import Kinema

/// The table of `kinema evaluate rendered`, row by row.
struct RenderedTable {
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
                CountTable.pad("seed", 8) + CountTable.pad("exercise", 18) + CountTable.pad("truth", 8) + "counted")
        case .csv: try output.line("seed,exercise,reps,counted")
        case .json: try output.line("{\"rows\":[")
        case .jsonl: break
        }
    }

    mutating func row(seed: UInt64, exercise: String, truth: Int, counted: Int) throws {
        switch format {
        case .text:
            try output.line(
                CountTable.pad("\(seed)", 8) + CountTable.pad(exercise, 18) + CountTable.pad("\(truth)", 8)
                    + "\(counted)" + (truth == counted ? "" : "  <"))
        case .csv: try output.line("\(seed),\(exercise),\(truth),\(counted)")
        case .json, .jsonl:
            var json = JSONText()
            json.object { json in
                json.key("seed")
                json.integer(Int(seed))
                json.key("exercise")
                json.string(exercise)
                json.key("reps")
                json.integer(truth)
                json.key("counted")
                json.integer(counted)
            }
            if format == .jsonl { json.newline() }
            try output.write((format == .json && !isFirst ? Array(",\n".utf8) : []) + json.bytes)
        }
        isFirst = false
    }

    func end(_ score: RenderedScore) throws {
        switch format {
        case .text: for line in lines(score) { try output.line(line) }
        case .csv: for line in lines(score) { try output.line("# " + line) }
        case .json, .jsonl:
            var json = JSONText()
            write(score, to: &json)
            try output.write(Array((format == .json ? "],\n" : "{").utf8) + json.bytes + Array("}\n".utf8))
        }
    }

    private func lines(_ score: RenderedScore) -> [String] {
        func three(_ value: Double) -> String { String(format: "%.3f", value) }
        func delay(_ delays: [Double]) -> String {
            "median \(three(RenderedScore.percentile(0.5, of: delays))) s, 95th percentile "
                + "\(three(RenderedScore.percentile(0.95, of: delays))) s, within 0.15 s "
                + three(RenderedScore.inTime(delays))
        }
        var lines: [String] = []
        if !score.counts.clips.isEmpty {
            lines = [
                "\(PlainText.counted(score.counts.clips.count, "clip")) with an exercise: \(CountMeasures(score.counts).text)",
                "\(PlainText.counted(score.real, "repetition")): start within 0.15 s \(three(score.startShare)), "
                    + "end within 0.15 s \(three(score.endShare))",
                "told after the true end: \(delay(score.delays))",
                "from a clip's third on: \(delay(score.laterDelays))",
            ]
        }
        if score.idle > 0 {
            lines.append(
                "\(PlainText.counted(score.idle, "clip")) without exercise: nothing counted in \(score.idleUncounted)")
        }
        return lines
    }

    private func write(_ score: RenderedScore, to json: inout JSONText) {
        json.key("clips")
        json.integer(score.counts.clips.count)
        CountMeasures(score.counts).write(to: &json)
        json.key("repetitions")
        json.integer(score.real)
        json.key("starts_near")
        json.number(score.startShare)
        json.key("ends_near")
        json.number(score.endShare)
        for (name, delays) in [("delay", score.delays), ("later_delay", score.laterDelays)] {
            json.key(name + "_median")
            json.number(RenderedScore.percentile(0.5, of: delays))
            json.key(name + "_95")
            json.number(RenderedScore.percentile(0.95, of: delays))
            json.key(name + "_in_time")
            json.number(RenderedScore.inTime(delays))
        }
        json.key("without_exercise")
        json.integer(score.idle)
        json.key("without_exercise_uncounted")
        json.integer(score.idleUncounted)
    }
}
