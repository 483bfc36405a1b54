import ArgumentParser
import Foundation
import Kinema
import KinemaCore

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Counts the repetitions in the built-in clip, or your own, and writes an overlay video.")

    @Argument(help: "Your own video. (default: the built-in clip)")
    var file: String?

    @Option(name: .shortAndLong, help: "The folder to write the videos to.")
    var output = "out"

    @Option(help: "Hide on the overlay: faces, people or background.")
    var hide: Hiding?

    @OptionGroup var body: BodyOptionGroup

    func run() async throws {
        try await Interruption.guarding { interruption in
            let folder = try OutputFolder.make(output)
            let clip = folder.appending(path: "demo.mp4")
            if file == nil { try AtomicFile.write(DemoClip.bytes, to: clip) }
            let truth = file == nil ? DemoClip.repetitions : nil
            let input = file ?? clip.path
            let stem = URL(filePath: input).deletingPathExtension().lastPathComponent
            let overlay = folder.appending(path: "\(stem)-overlay.mp4")
            let runner = InputRunner(input: InputChoice(input), overlay: overlay.path, hiding: hide)
            let outcome = try await runner.run(CountAnalysis(try body.counting), interruption)
            Console.shared.endProgress()
            Console.shared.warn(outcome.diagnostics)
            try StandardOutput().write(outcome.report, as: .text)
            let out = StandardOutput()
            if let truth {
                let verdict = truth == outcome.analysis.count ? "counted correctly" : "NOT counted correctly"
                try out.line("ground truth of the clip: \(PlainText.counted(truth, "repetition")), \(verdict)")
            }
            if let failure = outcome.overlayFailure { throw failure }
            try out.line("watch it: \(overlay.path)")
            if outcome.run.framesWithDetections == 0, !interruption.isRaised { throw Console.shared.nobody(in: input) }
            if let truth, truth != outcome.analysis.count, !interruption.isRaised {
                throw ExitStatus.failed.exitCode
            }
        }
    }
}

struct TrajectoriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trajectories", abstract: "Detects small flying objects, such as balls, by their parabolas.",
        discussion: """
            Detects several balls and bags at once, among moving people. A bounce starts a new flight. Needs no neural model. \
            Keep the camera still; slight shake and slow pans are compensated.
            """)

    @OptionGroup var media: MediaOptionGroup

    @Option(help: "Report flights of at least this confidence, 0 to 1.")
    var confidence = 0.9

    @Option(help: "Ignore objects with a smaller radius, as a share of the frame's width.")
    var minimumRadius = 0.0

    @Option(help: "Ignore objects with a larger radius, as a share of the frame's width.")
    var maximumRadius = 1.0

    @Option(
        help: ArgumentHelp(
            "Write each candidate and why it was reported as a flight or not, as JSON Lines; --overlay then draws all candidates.",
            valueName: "file.jsonl"))
    var explain: String?

    func validate() throws {
        try requireEnding(explain, [".jsonl"], "--explain")
        try require(confidence, in: 0...1, "--confidence")
        guard (0...1).contains(minimumRadius), (0...1).contains(maximumRadius), minimumRadius < maximumRadius else {
            throw ValidationError("--minimum-radius and --maximum-radius must be 0 to 1, the minimum below the maximum")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var configuration = TrajectoryAnalysis.Configuration()
            configuration.confidence = confidence
            configuration.radii = minimumRadius...maximumRadius
            configuration.explains = explain != nil
            let outcome = try await media.run(
                TrajectoryAnalysis(configuration), outputs: [explain], endsLines: false, interruption
            ) { outcome, files in files.write(outcome.analysis.explanations, to: explain) }
            if outcome.analysis.result.trajectories.isEmpty, !interruption.isRaised {
                throw Console.shared.nobody(in: media.choice.source, "no flight was found")
            }
        }
    }
}
