import ArgumentParser
import Foundation
import Kinema

struct EvaluateGestureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gesture",
        abstract: "Detects the pinches in every labelled clip and prints which were detected, missed and false.",
        discussion: """
            LABELS is a table with the columns file, closed and apart: when the tips of thumb and index finger touched and \
            parted, in seconds, one row per pinch. A file without pinches has one row without times. Files are \
            in the table's folder or in --folder. A pinch counts as detected if one is reported within --tolerance of its start; F1 is the \
            harmonic mean of precision and recall.
            """)

    @Argument(help: "A CSV file with a header.")
    var labels: String

    @Option(help: "The folder of the files, if they are not in the table's folder.")
    var folder: String?

    @Option(help: "How far a pinch may be from its label, in seconds.")
    var tolerance = 0.1

    @Option(help: "What counts as a pinch: scored, strict or sample.")
    var rule = GestureCommand.Rule.scored

    @Option(
        help: """
            Arithmetic: f32, automatic for 16 bits where the processor supports them, or int8 for the 8-bit models that \
            script/quantise makes.
            """)
    var precision = ModelStore.Precision.automatic

    @OptionGroup var turn: TurnOptionGroup

    @OptionGroup var time: TimeOptionGroup

    @OptionGroup var results: FormatOptionGroup

    func validate() throws {
        guard tolerance >= 0, tolerance.isFinite else { throw ValidationError("--tolerance must be 0 or more") }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let clips = try PinchLabel.read(URL(filePath: labels), folder: folder.map { URL(filePath: $0) })
            var score = PinchScore(tolerance: tolerance)
            let (output, format) = (StandardOutput(), results.format)
            for (index, clip) in clips.enumerated() {
                Console.shared.progress(index, of: clips.count, note: clip.file)
                let input = try InputChoice(clip.path).turned(turn.orientation, by: turn.option)
                    .timed(time.timing)
                let runner = InputRunner(input: input, showsProgress: false)
                let analysis = try await runner.run(DrawAnalysis(configuration), interruption).analysis
                if interruption.isRaised { break }
                let lines = score.add(clip, found: analysis.result.pinches.map(\.start), analysis.explanations)
                if format == .text { for line in lines { try output.line(line) } }
            }
            Console.shared.endProgress()
            try output.write(score.text, score.fields, as: format)
        }
    }

    private var configuration: DrawAnalysis.Configuration {
        var configuration = DrawAnalysis.Configuration()
        configuration.rule = rule.rule
        configuration.pipeline = .handsOnly(
            HandPoseOptions(precision: precision, readsCloseUp: rule == .scored), smooths: false)
        configuration.explains = true
        return configuration
    }
}
