import ArgumentParser
import Foundation
import Kinema
import KinemaSynth

struct EvaluateRenderedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rendered",
        abstract: "Counts the repetitions in randomly rendered clips and compares the counts with the ground truth.",
        discussion: """
            Renders clips with random movement, build, camera, frame rate, pauses and cuts (kinema synth --scene \
            random) and clips without exercise (--scene no-exercise), and counts each. It prints the share of clips \
            counted exactly, the share of clips without exercise in which nothing was counted, the share of starts and \
            ends found within 0.15 s of the ground truth, and the delay between the true end of a repetition and its report. \
            The videos are deleted afterwards.
            """)

    @Option(help: "The number of clips with an exercise.")
    var clips = 200

    @Option(help: "The number of clips without an exercise.")
    var withoutExercise = 50

    @OptionGroup var scenes: RenderedScenes

    @OptionGroup var body: BodyOptionGroup

    @OptionGroup var results: FormatOptionGroup

    func validate() throws {
        guard (0...10_000).contains(clips), (0...10_000).contains(withoutExercise), clips + withoutExercise > 0 else {
            throw ValidationError("--clips and --without-exercise must be 0 to 10000, and one of them above 0")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var score = RenderedScore()
            var table = try EvaluationTable(
                results.format, columns: ["seed": 8, "exercise": 18, "truth": 8, "counted": 0],
                header: ["seed", "exercise", "reps", "counted"])
            try await scenes.each(clips + withoutExercise, note: "rendering and counting", interruption) { index in
                let seed = seed(index)
                return index < clips ? SynthScene.random(seed: seed) : .withoutExercise(seed: seed)
            } score: { index, scene, url in
                let runner = InputRunner(input: InputChoice(url.path), showsProgress: false)
                let result = try await runner.run(CountAnalysis(try body.counting), interruption).analysis.result
                if interruption.isRaised { return }
                let truth = scene.people.flatMap { scene.repetitions(of: $0) }.filter(\.isCounted)
                if index < clips {
                    score.add(truth, counted: result.people.flatMap(\.repetitions))
                } else {
                    score.add(countedWithoutExercise: result.count)
                }
                let exercise = index < clips ? truth.first?.exercise ?? "none" : "none"
                try table.row(
                    ["\(seed(index))", exercise, "\(truth.count)", "\(result.count)"],
                    isWrong: truth.count != result.count,
                    [.integer(Int(seed(index))), .text(exercise), .integer(truth.count), .integer(result.count)])
            }
            try table.end(score.lines) { score.write(to: &$0) }
        }
    }

    /// Clips without exercise begin with the same seed as those with one.
    private func seed(_ index: Int) -> UInt64 { scenes.seed + UInt64(index < clips ? index : index - clips) }
}
