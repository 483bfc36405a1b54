import ArgumentParser
import Foundation
import Kinema

/// `kinema evaluate`: how right the results are, against labels.
struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate", abstract: "Measures results against labels.",
        subcommands: [EvaluateCountCommand.self, EvaluateClassifyCommand.self])
}

/// `kinema evaluate count LABELS.csv`: counts every labelled clip and prints the table.
struct EvaluateCountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Counts every labelled clip and prints MAE, OBO and the exact share.",
        discussion: """
            LABELS is a table with the columns file and reps, and optionally reps_low and reps_high for what a fair \
            counter may say where a clip begins or ends in mid-repetition, and exercise. Files lie beside the table.
            """)

    @Argument(help: "A CSV file with a header.")
    var labels: String

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "What standard output gets: text, json, jsonl or csv.")
    var format = OutputFormat.text

    func run() async throws {
        try await Interruption.guarding { interruption in
            let rows = try CountLabel.read(URL(filePath: labels))
            var score = CountingScore()
            var writer = CountTable(format: format)
            try writer.begin()
            for (index, row) in rows.enumerated() where !interruption.isRaised {
                Console.shared.progress(index, of: rows.count, note: row.file)
                var run = CountingRun(input: row.path, pipeline: body.pipeline)
                run.showsProgress = false
                let outcome = try await run.frames(interruption)
                if interruption.isRaised { break }
                score.add(.init(count: outcome.report.count, repetitions: row.repetitions, range: row.range))
                try writer.row(row, counted: outcome.report.count)
            }
            Console.shared.endProgress()
            try writer.end(score)
        }
    }
}
