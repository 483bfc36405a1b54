import ArgumentParser
import Foundation
import Kinema
import KinemaDraw

/// `kinema evaluate coach LABELS.csv`: coaches every labelled clip, with the exercise given and recognised.
struct EvaluateCoachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coach",
        abstract: "Coaches every labelled clip and prints which were recognised and counted correctly.",
        discussion: """
            LABELS is a table as for `kinema evaluate count`, with the column exercise. Each clip is coached twice \
            from the same poses: as the exercise in its label, and as the exercise that is recognised. Clips of \
            exercises that the coach does not know are listed but do not count in the shares.
            """)

    @Argument(help: "A CSV file with a header.")
    var labels: String

    @OptionGroup var poseFile: PoseFileOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "Output format: text, json, jsonl or csv.")
    var format = OutputFormat.text

    func run() async throws {
        try await Interruption.guarding { interruption in
            let rows = try CountLabel.read(URL(filePath: labels))
            var table = CoachTable(format: format)
            try table.begin()
            for (index, row) in rows.enumerated() {
                Console.shared.progress(index, of: rows.count, note: row.file)
                let runner = InputRunner(input: poseFile.choice(InputChoice(row.path)), showsProgress: false)
                let trial = try await runner.run(CoachTrial(row, try body.precisePipeline), interruption).analysis
                if interruption.isRaised { break }
                try table.row(trial)
            }
            Console.shared.endProgress()
            try table.end()
        }
    }
}

/// Coaches one clip as its label says and as it is recognised, from the same poses.
struct CoachTrial: Analysis {
    let label: CountLabel
    let pipeline: PosePipeline
    /// The exercise of the label; nil if the coach does not know it.
    let exercise: Exercise?
    private var labelled: CoachAnalysis?
    private var recognising = CoachAnalysis()

    init(_ label: CountLabel, _ pipeline: PosePipeline) {
        (self.label, self.pipeline) = (label, pipeline)
        exercise = ExerciseLibrary.exercise(named: label.exercise)
        labelled = exercise.map {
            var configuration = CoachAnalysis.Configuration()
            configuration.exercise = $0
            return CoachAnalysis(configuration)
        }
    }

    mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        _ = labelled?.take(frame)
        return recognising.take(frame)
    }

    mutating func finish() -> [AnalysisEvent] {
        _ = labelled?.finish()
        return recognising.finish()
    }

    var result: CoachResult { recognising.result }
    var layers: [OverlayLayer] { [] }
    var summary: String { label.file }

    /// The repetitions counted as the labelled exercise.
    var counted: Int? { labelled?.result.count }
    /// The recognised exercise.
    var recognised: Exercise? { recognising.leader?.exercise }

    /// The distance of the count from the correct range.
    var error: Int? {
        counted.map { max(label.range.lowerBound - $0, $0 - label.range.upperBound, 0) }
    }
}

/// The table of `kinema evaluate coach` and its shares.
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
                CountTable.pad("file", 26) + CountTable.pad("exercise", 19) + CountTable.pad("recognised", 17)
                    + CountTable.pad("truth", 12) + "counted")
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
                CountTable.pad(label.file, 26) + CountTable.pad(label.exercise, 19)
                    + CountTable.pad(recognised ?? "-", 17) + CountTable.pad(truth, 12)
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
}
