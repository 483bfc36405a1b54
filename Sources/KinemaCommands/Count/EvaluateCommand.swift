import ArgumentParser
import Foundation
import Kinema

/// `kinema evaluate`: how right the results are, against labels.
struct EvaluateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evaluate", abstract: "Measures results against labels or against rendered truth.",
        subcommands: [
            EvaluateCountCommand.self, EvaluateCoachCommand.self, EvaluateRenderedCommand.self,
            EvaluateClassifyCommand.self, EvaluateTossCommand.self, EvaluateTrajectoriesCommand.self,
        ])
}

/// `kinema evaluate count LABELS.csv`: counts every labelled clip and prints the table.
struct EvaluateCountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Counts every labelled clip and prints MAE, OBO and the exact share.",
        discussion: """
            LABELS is a table with the columns file and reps, and optionally reps_low and reps_high for what a fair \
            counter may say where a clip begins or ends in mid-repetition, and exercise. Files lie beside the table. \
            MAE is the mean error as a share of the label, OBO the share counted to within one, exact the share counted \
            right; the brackets hold them with 95 % confidence, by a bootstrap over the clips. With --varied each clip \
            is counted again from the same poses: mirrored, backwards, slower and quicker by a third, and from every \
            second and every third frame. That changes no count, but the counter was not made with them in view.
            """)

    @Argument(help: "A CSV file with a header.")
    var labels: String

    @Flag(help: "Count each clip also as it would be seen in other ways, which change no count.")
    var varied = false

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "What standard output gets: text, json, jsonl or csv.")
    var format = OutputFormat.text

    func run() async throws {
        try await Interruption.guarding { interruption in
            let rows = try CountLabel.read(URL(filePath: labels))
            var score = CountingScore()
            var variations: [CountVariation: CountingScore] = [:]
            var writer = CountTable(format: format)
            try writer.begin()
            for (index, row) in rows.enumerated() where !interruption.isRaised {
                Console.shared.progress(index, of: rows.count, note: row.file)
                let runner = InputRunner(input: InputChoice(row.path), showsProgress: false)
                var film: [PosedMoment] = []
                let outcome = try await runner.run(
                    CountAnalysis(body.counting), interruption,
                    onFrame: { frame, _ in
                        if varied { film.append(PosedMoment(time: frame.frame.time, poses: frame.poses)) }
                    })
                let count = outcome.analysis.count
                if interruption.isRaised { break }
                score.add(row.clip(counted: count))
                try writer.row(row, counted: count, seconds: outcome.run.seconds)
                for variation in varied ? CountVariation.allCases : [] {
                    let varied = variation.applied(to: film).counted(aspectRatio: outcome.aspectRatio)
                    variations[variation, default: CountingScore()].add(row.clip(counted: varied))
                }
            }
            Console.shared.endProgress()
            try writer.end(score, variations)
        }
    }
}
