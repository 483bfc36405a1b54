import ArgumentParser
import Foundation
import Kinema
import KinemaSynth
import KinemaToss

/// `kinema evaluate toss`: plays games rendered at random and compares with their exact truth.
struct EvaluateTossCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "toss", abstract: "Judges randomly rendered games of toss and compares with their exact truth.",
        discussion: """
            Renders games of random players, cameras, boards and noise (kinema synth --scene toss), judges each, and \
            prints for every throw what was found and what is true, then the shares. The videos are deleted again.
            """)

    @Option(help: "How many games.")
    var games = 40

    @Option(help: "The first game's seed; the others count up from it.")
    var seed: UInt64 = 0

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "What standard output gets: text or json.")
    var format = OutputFormat.text

    func validate() throws {
        guard (1...10_000).contains(games) else { throw ValidationError("--games takes 1 to 10000") }
        guard seed <= UInt64(Int.max) - 10_000 else { throw ValidationError("--seed is too large for so many games") }
        guard format == .text || format == .json else { throw ValidationError("--format takes text or json here") }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let folder = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")
            let url = try OutputFolder.make(folder.path).appending(path: "game.mp4")
            defer { try? FileManager.default.removeItem(at: folder) }
            var score = TossScore()
            let output = StandardOutput()
            for index in 0..<games where !interruption.isRaised {
                let seed = seed + UInt64(index)
                let scene = SynthScene.toss(seed: seed)
                Console.shared.progress(index, of: games, note: "rendering and judging")
                try SynthWriter.write(scene, to: url) { _, _ in
                    if interruption.isRaised { throw CancellationError() }
                }
                let runner = InputRunner(input: InputChoice(url.path), showsProgress: false)
                let game = TossAnalysis(TossAnalysis.Configuration(pipeline: body.pipeline))
                let result = try await runner.run(game, interruption).analysis.result
                guard !interruption.isRaised, let truth = scene.tossTruth else { break }
                let lines = score.add(truth, result)
                if format == .text { for line in lines { try output.line("game \(seed): \(line)") } }
            }
            Console.shared.endProgress()
            try output.line(format == .text ? score.text : score.json)
        }
    }
}
