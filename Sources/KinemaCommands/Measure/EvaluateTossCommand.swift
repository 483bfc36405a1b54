import ArgumentParser
import Foundation
import Kinema
import KinemaCore
import KinemaSynth
import KinemaToss

struct EvaluateTossCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "toss",
        abstract: "Analyses randomly rendered games of toss and compares the results with the ground truth.",
        discussion: """
            Renders games with random players, cameras, boards and noise (kinema synth --scene toss) and analyses \
            them. It prints the result and the ground truth of every throw, then the shares. The videos are deleted afterwards.
            """)

    @Option(help: "The number of games.")
    var games = 40

    @OptionGroup var scenes: RenderedScenes

    @Flag(help: "Only detect the board in the first frame of each game, with boards of varied appearance and view.")
    var boards = false

    @OptionGroup var body: BodyOptionGroup

    @OptionGroup var results: FormatOptionGroup<TextOrJSON>

    func validate() throws {
        try require(games, in: 1...10_000, "--games")
    }

    func run() async throws {
        if boards { return try BoardScore.evaluate(games: games, seed: scenes.seed, results.format) }
        try await Interruption.guarding { interruption in
            var score = TossScore()
            let (output, format) = (StandardOutput(), results.format)
            try await scenes.each(games, note: "rendering and analysing", interruption) { index in
                .toss(seed: scenes.seed + UInt64(index))
            } score: { index, scene, url in
                let runner = InputRunner(input: InputChoice(url.path), showsProgress: false)
                let game = TossAnalysis(TossAnalysis.Configuration(pipeline: try body.pipeline))
                let result = try await runner.run(game, interruption).analysis.result
                guard !interruption.isRaised, let truth = scene.tossTruth else { return }
                let lines = score.add(truth, result)
                if format == .text {
                    for line in lines { try output.line("game \(scenes.seed + UInt64(index)): \(line)") }
                }
            }
            try output.write(score.text, score.fields, as: format)
        }
    }
}
