import ArgumentParser
import Foundation
import Kinema

struct CoachCommand: AsyncParsableCommand, CheckedCommand {
    static let configuration = CommandConfiguration(
        commandName: "coach", abstract: "Counts the repetitions of an exercise and reports the faults of each.",
        discussion: """
            `kinema exercises` lists the exercises and their faults. To add your own, show it: \
            `kinema teach good.mp4 -o mine.exercise.json`; or write a JSON file: \
            `kinema exercises squat --format json > mine.json` prints one to start from. INPUT may also be a pose file, \
            \(PoseFileOptionGroup.formats)
            """)

    @OptionGroup var media: MediaOptionGroup

    @OptionGroup var poseFile: PoseFileOptionGroup

    @OptionGroup var chart: PlotOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @Option(
        help: """
            The exercise: a name from `kinema exercises`, a JSON file of your own exercises, a folder of such files, or auto \
            to recognise it. If there are several, the coach recognises which one is performed.
            """)
    var exercise = "auto"

    @Option(
        help: ArgumentHelp(
            "For an exercise from kinema teach: a chart of the movement done over the movement shown, with both skeletons "
                + "at each finding (.svg or .png).", valueName: "file"))
    var explain: String?

    @Option(help: "The people to coach: everyone (all) or the most prominent person (prominent).")
    var people = PersonScope.prominent

    @Flag(
        help: """
            Show what the coach uses in each frame: the measure's value, the phase, and why a movement did not count. \
            Requires --format jsonl ("debug" lines) or --overlay (rings around the joints).
            """)
    var debug = false

    func validate() throws {
        try requireEnding(explain, [".svg", ".png"], "--explain")
        if debug, media.format != .jsonl, media.overlay == nil {
            throw ValidationError("--debug requires --format jsonl or --overlay")
        }
    }

    func check() throws {
        if try ExerciseChoice(exercise).exercises.allSatisfy({ $0.shown == nil }), explain != nil {
            throw KinemaError(.invalidArgument, "--explain requires an exercise of kinema teach")
        }
    }

    func run() async throws {
        try check()
        let choice = try ExerciseChoice(exercise)
        try await Interruption.guarding { interruption in
            let input = try poseFile.choice(media, body)
            var configuration = CoachAnalysis.Configuration()
            configuration.pipeline = try body.precisePipeline
            configuration.scope = people
            configuration.exercise = choice.exercise
            configuration.exercises = choice.exercises
            configuration.debugs = debug
            configuration.memory = chart.plot == nil ? .recent : .everything
            let outcome = try await media.run(
                CoachAnalysis(configuration), over: input, outputs: [chart.plot, explain], interruption
            ) { outcome, files in
                files.write { try chart.write(outcome.analysis.recorded, of: outcome.run) }
                guard let explain else { return }
                files.write {
                    try ShownChart(title: outcome.run.source, coach: outcome.analysis.leader)
                        .write(to: URL(filePath: explain))
                }
            }
            guard !interruption.isRaised else { return }
            if outcome.run.framesWithDetections == 0 { throw Console.shared.nobody(in: media.choice.source) }
            if outcome.analysis.result.exercise == nil {
                guard !outcome.run.isTooShort else { throw ExitStatus.nothingFound.exitCode }
                throw Console.shared.nobody(
                    in: media.choice.source,
                    "no exercise was recognised; if there is one, give its name with --exercise")
            }
        }
    }
}
