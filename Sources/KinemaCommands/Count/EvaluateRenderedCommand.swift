import ArgumentParser
import Foundation
import Kinema
import KinemaSynth

/// `kinema evaluate rendered`: counts clips rendered at random and compares with their exact truth.
struct EvaluateRenderedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rendered", abstract: "Counts randomly rendered clips and compares with their exact truth.",
        discussion: """
            Renders clips of random movement, build, camera, rate, pauses and cuts (kinema synth --scene random) and \
            clips without any exercise (--scene no-exercise), counts each, and prints the exact share, the share of \
            the others in which nothing was counted, the share of true starts and ends with a counted one within \
            0.15 s, and how long after its true end a repetition was told. The videos are deleted again.
            """)

    @Option(help: "How many clips with an exercise.")
    var clips = 200

    @Option(help: "How many clips without.")
    var withoutExercise = 50

    @Option(help: "The first clip's seed; the others count up from it.")
    var seed: UInt64 = 0

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "What standard output gets: text, json, jsonl or csv.")
    var format = OutputFormat.text

    func validate() throws {
        guard (0...10_000).contains(clips), (0...10_000).contains(withoutExercise), clips + withoutExercise > 0 else {
            throw ValidationError("--clips and --without-exercise take 0 to 10000, one of them more than 0")
        }
        guard seed <= UInt64(Int.max) - 10_000 else { throw ValidationError("--seed is too large for so many clips") }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let folder = FileManager.default.temporaryDirectory.appending(path: "kinema-\(UUID().uuidString)")
            let url = try OutputFolder.make(folder.path).appending(path: "clip.mp4")
            defer { try? FileManager.default.removeItem(at: folder) }
            var score = RenderedScore()
            var table = RenderedTable(format: format)
            try table.begin()
            for index in 0..<clips + withoutExercise where !interruption.isRaised {
                let exercises = index < clips
                let seed = seed + UInt64(exercises ? index : index - clips)
                let scene = exercises ? SynthScene.random(seed: seed) : .withoutExercise(seed: seed)
                Console.shared.progress(index, of: clips + withoutExercise, note: "rendering and counting")
                try SynthWriter.write(scene, to: url) { _, _ in
                    if interruption.isRaised { throw CancellationError() }
                }
                let runner = InputRunner(input: InputChoice(url.path), showsProgress: false)
                let result = try await runner.run(CountAnalysis(body.counting), interruption).analysis.result
                if interruption.isRaised { break }
                let truth = scene.people.flatMap { scene.repetitions(of: $0) }.filter(\.isCounted)
                if exercises {
                    score.add(truth, counted: result.people.flatMap(\.repetitions))
                } else {
                    score.add(countedWithoutExercise: result.count)
                }
                try table.row(
                    seed: seed, exercise: exercises ? truth.first?.exercise ?? "none" : "none", truth: truth.count,
                    counted: result.count)
            }
            Console.shared.endProgress()
            try table.end(score)
        }
    }
}
