import ArgumentParser
import Foundation
import Kinema
import KinemaCore
import KinemaSynth
import KinemaToss

/// `kinema evaluate toss`: analyses randomly rendered games and compares with their exact truth.
struct EvaluateTossCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "toss",
        abstract: "Analyses randomly rendered games of toss and compares with their exact truth.",
        discussion: """
            Renders games with random players, cameras, boards and noise (kinema synth --scene toss) and analyses \
            them. It prints the result and the truth of every throw, then the shares. The videos are deleted afterwards.
            """)

    @Option(help: "The number of games.")
    var games = 40

    @Option(help: "The seed of the first game; it increases by 1 for each game.")
    var seed: UInt64 = 0

    @Flag(help: "Only look for the board in the first picture of each game, painted, clothed and seen in many ways.")
    var boards = false

    @OptionGroup var body: BodyOptionGroup

    @OptionGroup var results: FormatOptionGroup<TextOrJSON>

    func validate() throws {
        guard (1...10_000).contains(games) else { throw ValidationError("--games takes 1 to 10000") }
        guard seed <= UInt64(Int.max) - 10_000 else {
            throw ValidationError("--seed takes at most \(Int.max - 10_000)")
        }
    }

    func run() async throws {
        if boards { return try await BoardScore.evaluate(games: games, seed: seed, results.format) }
        try await Interruption.guarding { interruption in
            let folder = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")
            let url = try OutputFolder.make(folder.path).appending(path: "game.mp4")
            defer { try? FileManager.default.removeItem(at: folder) }
            var score = TossScore()
            let (output, format) = (StandardOutput(), results.format)
            for index in 0..<games where !interruption.isRaised {
                let seed = seed + UInt64(index)
                let scene = SynthScene.toss(seed: seed)
                Console.shared.progress(index, of: games, note: "rendering and analysing")
                do {
                    try SynthWriter.write(scene, to: url) { _, _ in
                        if interruption.isRaised { throw CancellationError() }
                    }
                } catch is CancellationError {
                    break
                }
                let runner = InputRunner(input: InputChoice(url.path), showsProgress: false)
                let game = TossAnalysis(TossAnalysis.Configuration(pipeline: try body.pipeline))
                let result = try await runner.run(game, interruption).analysis.result
                guard !interruption.isRaised, let truth = scene.tossTruth else { break }
                let lines = score.add(truth, result)
                if format == .text { for line in lines { try output.line("game \(seed): \(line)") } }
            }
            Console.shared.endProgress()
            try output.write(score.text, score.fields, as: format)
        }
    }
}
