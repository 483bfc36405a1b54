import ArgumentParser
import Foundation
import Kinema
import KinemaDraw

/// `kinema evaluate coach LABELS.csv`: coaches every labelled clip by name and by recognising, and prints the table.
struct EvaluateCoachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coach", abstract: "Coaches every labelled clip and prints which were named and counted right.",
        discussion: """
            LABELS is a table as for `kinema evaluate count`, with the column exercise. Each clip is coached twice over \
            the same poses: as the exercise of its label, and as the one recognised. Clips of exercises that the coach \
            does not know are shown with what was recognised, and left out of the shares.
            """)

    @Argument(help: "A CSV file with a header.")
    var labels: String

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "What standard output gets: text, json, jsonl or csv.")
    var format = OutputFormat.text

    func run() async throws {
        try await Interruption.guarding { interruption in
            let rows = try CountLabel.read(URL(filePath: labels))
            var table = CoachTable(format: format)
            try table.begin()
            for (index, row) in rows.enumerated() {
                Console.shared.progress(index, of: rows.count, note: row.file)
                let runner = InputRunner(input: InputChoice(row.path), showsProgress: false)
                let trial = try await runner.run(CoachTrial(row, body.countingPipeline), interruption).analysis
                if interruption.isRaised { break }
                try table.row(trial)
            }
            Console.shared.endProgress()
            try table.end()
        }
    }
}

/// One clip coached as its label says and as it is recognised, over the same poses.
struct CoachTrial: Analysis {
    let label: CountLabel
    let pipeline: PosePipeline
    /// The exercise of the label, nil when the coach does not know it.
    let exercise: Exercise?
    private var informed: CoachAnalysis?
    private var recognising = CoachAnalysis()

    init(_ label: CountLabel, _ pipeline: PosePipeline) {
        (self.label, self.pipeline) = (label, pipeline)
        exercise = ExerciseLibrary.exercise(named: label.exercise)
        informed = exercise.map {
            var configuration = CoachAnalysis.Configuration()
            configuration.exercise = $0
            return CoachAnalysis(configuration)
        }
    }

    mutating func take(_ frame: PosedFrame) -> [AnalysisEvent] {
        _ = informed?.take(frame)
        return recognising.take(frame)
    }

    mutating func finish() -> [AnalysisEvent] {
        _ = informed?.finish()
        return recognising.finish()
    }

    var result: CoachResult { recognising.result }
    var layers: [OverlayLayer] { [] }
    var summary: String { label.file }

    /// What was counted as the labelled exercise.
    var counted: Int? { informed?.result.count }
    /// What was recognised.
    var recognised: Exercise? { recognising.leader?.exercise }

    /// How many repetitions the count is off what is fair.
    var error: Int? {
        counted.map { max(label.range.lowerBound - $0, $0 - label.range.upperBound, 0) }
    }
}
