import ArgumentParser
import Foundation
import KinemaCommands
import Kinema
import KinemaDraw
import KinemaMedia

struct EvaluateCoachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coach",
        abstract: "Coaches every labelled clip and prints which exercises were recognised and counted correctly.",
        discussion: """
            LABELS is a table as for `kinema evaluate count`, with the additional column exercise. Each clip is coached twice \
            from the same poses: as the exercise in its label, and as the exercise that is recognised. Clips of \
            exercises that the coach does not know are listed but left out of the shares.
            """)

    @Argument(help: "A CSV file with a header.")
    var labels: String

    @OptionGroup var poseFile: PoseFileOptionGroup

    @OptionGroup var turn: TurnOptionGroup

    @OptionGroup var time: TimeOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @OptionGroup var results: FormatOptionGroup

    func run() async throws {
        try await Interruption.guarding { interruption in
            let rows = try CountLabel.read(URL(filePath: labels))
            var score = CoachScore()
            var table = try EvaluationTable(
                results.format,
                columns: ["file": 26, "exercise": 19, "recognised": 17, "truth": 12, "counted": 0],
                header: ["file", "exercise", "recognised", "reps", "reps_low", "reps_high", "counted"])
            for (index, row) in rows.enumerated() {
                Console.shared.progress(index, of: rows.count, note: row.file)
                let input = try poseFile.choice(InputChoice(row.path)).turned(turn.orientation, by: turn.option)
                    .timed(time.timing)
                let runner = InputRunner(input: input, showsProgress: false)
                let trial = try await runner.run(CoachTrial(row, try body.precisePipeline), interruption).analysis
                if interruption.isRaised { break }
                score.add(trial)
                let (label, recognised) = (trial.label, trial.recognised?.name)
                try table.row(
                    [
                        label.file, label.exercise, recognised ?? "-", label.truth,
                        trial.counted.map(String.init) ?? "-",
                    ],
                    isWrong: trial.exercise != nil && (trial.clip?.error != 0 || recognised != trial.exercise?.name),
                    [
                        .text(label.file), .text(label.exercise), .text(recognised), .integer(label.repetitions),
                        .integer(label.range.lowerBound), .integer(label.range.upperBound), .integer(trial.counted),
                    ], jsonKeys: ["file", "exercise", "recognised", "reps", "counted"])
            }
            Console.shared.endProgress()
            try table.end(results.format == .csv ? [] : [score.text]) { json in
                json.field("clips", score.clips)
                for measure in score.measures { json.field(measure.key, measure.value) }
            }
        }
    }
}

private struct CoachScore {
    /// The counts of exercises that the coach knows.
    private var counts = CountingScore()
    private var recognised = 0

    var clips: Int { counts.clips.count }

    mutating func add(_ trial: CoachTrial) {
        guard let exercise = trial.exercise, let clip = trial.clip else { return }
        counts.add(clip)
        if trial.recognised?.name == exercise.name { recognised += 1 }
    }

    var measures: [Measure] {
        [
            ("within one", "obo", counts.offByOne), ("exact", "exact", counts.exact),
            ("recognised", "recognised", Double(recognised) / Double(max(1, clips))),
        ]
    }

    var text: String {
        "\(PlainText.counted(clips, "clip")) of known exercises: "
            + measures.map { "\($0.name) \($0.value.text(3))" }.joined(separator: ", ")
    }
}

/// Coaches one clip as the labelled and as the recognised exercise, from the same poses.
struct CoachTrial: PoseOnlyAnalysis {
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

    var neededFrames: FrameSelection { recognising.neededFrames }
    var result: CoachResult { recognising.result }
    var layers: [OverlayLayer] { [] }
    var summary: String { label.file }

    var counted: Int? { labelled?.result.count }
    var recognised: Exercise? { recognising.leader?.exercise }

    var clip: CountingScore.Clip? { counted.map(label.clip) }
}
