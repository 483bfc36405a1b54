import ArgumentParser
import Foundation
import Kinema

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
