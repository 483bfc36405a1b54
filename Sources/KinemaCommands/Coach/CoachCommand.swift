import ArgumentParser
import Foundation
import Kinema

/// `kinema coach`: repetitions of a known exercise, with phase, tempo and faults.
struct CoachCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "coach", abstract: "Counts an exercise and says what is wrong with each repetition.",
        discussion: "`kinema exercises` lists the exercises, with the faults that are looked for.")

    @OptionGroup var media: MediaOptionGroup

    @OptionGroup var chart: PlotOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "The exercise, by its name in `kinema exercises`, or auto to have it recognised.")
    var exercise = "auto"

    @Option(help: "Whom to coach: all, each for himself or herself, or the most prominent person.")
    var people = PersonScope.prominent

    func run() async throws {
        guard let choice = ExerciseChoice(argument: exercise) else {
            throw KinemaError(
                .invalidArgument,
                "there is no exercise \(exercise); there are "
                    + "\(ExerciseLibrary.all.map(\.name).joined(separator: ", ")), and auto")
        }
        try await Interruption.guarding { interruption in
            var configuration = CoachAnalysis.Configuration()
            configuration.pipeline = body.countingPipeline
            configuration.scope = people
            if case .exercise(let exercise) = choice { configuration.exercise = exercise }
            configuration.memory = chart.plot == nil ? .recent : .everything
            let outcome = try await media.run(CoachAnalysis(configuration), outputs: [chart.plot], interruption) {
                try chart.write($0.analysis.recorded, of: $0.run)
            }
            guard !interruption.isRaised else { return }
            if outcome.run.framesWithSomeone == 0 { throw Console.shared.nobody(in: media.choice.source) }
            if outcome.analysis.result.exercise == nil {
                Console.shared.line(
                    "kinema: \(media.choice.source): no exercise was recognised; name it with --exercise if there is one"
                )
                throw ExitStatus.nothingFound.exitCode
            }
        }
    }
}
