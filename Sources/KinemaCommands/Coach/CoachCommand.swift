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
    var people = PeopleCounter.Scope.prominent

    func run() async throws {
        guard let choice = ExerciseChoice(argument: exercise) else {
            throw KinemaError(
                .invalidArgument,
                "there is no exercise \(exercise); there are "
                    + "\(ExerciseLibrary.all.map(\.name).joined(separator: ", ")), and auto")
        }
        try await Interruption.guarding { interruption in
            var run = CoachingRun(input: media.choice, pipeline: body.countingPipeline)
            run.choice = choice
            run.scope = people
            run.overlay = media.overlay
            run.plot = chart.plot
            if media.format == .jsonl { run.onRepetition = { event in try StandardOutput().jsonLine(event.write) } }
            let outcome = try await run.frames(interruption)
            Console.shared.endProgress()
            try StandardOutput().write(outcome.report, as: media.format)
            Console.shared.warn(outcome.diagnostics)
            guard !interruption.isRaised else { return }
            if outcome.report.framesWithSomeone == 0 { throw Console.shared.nobody(in: media.choice.source) }
            if outcome.report.exercise == nil {
                Console.shared.line(
                    "kinema: \(media.choice.source): no exercise was recognised; name it with --exercise if there is one"
                )
                throw ExitStatus.nothingFound.exitCode
            }
        }
    }
}
