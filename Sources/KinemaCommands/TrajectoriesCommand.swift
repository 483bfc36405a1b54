import ArgumentParser
import Foundation
import Kinema

/// `kinema trajectories`: what flies through the picture.
struct TrajectoriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trajectories", abstract: "Finds small objects that fly through the picture on parabolas.",
        discussion: """
            Finds balls and bags, several at once, among people who move. A bounce starts a new flight. Needs no neural model. \
            Keep the camera still; a slight tremble does no harm.
            """)

    @OptionGroup var media: MediaOptionGroup

    @Option(help: "Report flights of at least this confidence, 0 to 1.")
    var confidence = 0.9

    @Option(help: "Ignore objects with a smaller radius, as a share of the picture's width.")
    var minimumRadius = 0.0

    @Option(help: "Ignore objects with a larger radius, as a share of the picture's width.")
    var maximumRadius = 1.0

    func validate() throws {
        guard (0...1).contains(confidence) else { throw ValidationError("--confidence takes 0 to 1") }
        guard (0...1).contains(minimumRadius), (0...1).contains(maximumRadius), minimumRadius < maximumRadius else {
            throw ValidationError("--minimum-radius and --maximum-radius take 0 to 1, the minimum below the maximum")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            var configuration = TrajectoryAnalysis.Configuration()
            configuration.confidence = confidence
            configuration.radii = minimumRadius...maximumRadius
            let outcome = try await media.run(
                TrajectoryAnalysis(configuration), endsLines: false, interruption)
            if outcome.analysis.result.trajectories.isEmpty, !interruption.isRaised {
                Console.shared.line("kinema: \(media.choice.source): no flight was found")
                throw ExitStatus.nothingFound.exitCode
            }
        }
    }
}
