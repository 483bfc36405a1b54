import ArgumentParser
import Foundation
import Kinema

/// `kinema coach`: repetitions of a known exercise, with phase, tempo and faults.
struct CoachCommand: AsyncParsableCommand, CheckedCommand {
    static let configuration = CommandConfiguration(
        commandName: "coach", abstract: "Counts the repetitions of an exercise and finds what is wrong with each.",
        discussion: """
            `kinema exercises` lists the exercises and their faults. To add your own, write a JSON file: \
            `kinema exercises squat --format json > mine.json` gives you one to start from. INPUT may also be a pose file, \
            \(PoseFileOptionGroup.formats)
            """)

    @OptionGroup var media: MediaOptionGroup

    @OptionGroup var poseFile: PoseFileOptionGroup

    @OptionGroup var chart: PlotOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @Option(
        help: """
            The exercise: a name from `kinema exercises`, a JSON file of your own exercises, or auto to recognise it. With \
            several in a file, one of them is recognised.
            """)
    var exercise = "auto"

    @Option(help: "Whom to coach: everyone (all) or the most prominent person (prominent).")
    var people = PersonScope.prominent

    @Flag(
        help: """
            Show what the coach looks at in each frame: the measure's value, the phase, and why a movement did not count. \
            Goes with --format jsonl ("debug" lines) or --overlay (rings around the joints).
            """)
    var debug = false

    func validate() throws {
        if debug, media.format != .jsonl, media.overlay == nil {
            throw ValidationError("--debug goes with --format jsonl or --overlay")
        }
    }

    func check() throws { _ = try ExerciseChoice(exercise) }

    func run() async throws {
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
                CoachAnalysis(configuration), over: input, outputs: [chart.plot], interruption
            ) { outcome, files in
                files.write { try chart.write(outcome.analysis.recorded, of: outcome.run) }
            }
            guard !interruption.isRaised else { return }
            if outcome.run.framesWithDetections == 0 { throw Console.shared.nobody(in: media.choice.source) }
            if outcome.analysis.result.exercise == nil {
                if !outcome.run.isTooShort {
                    Console.shared.line(
                        "kinema: \(media.choice.source): no exercise was recognised; if there is one, name it with --exercise"
                    )
                }
                throw ExitStatus.nothingFound.exitCode
            }
        }
    }
}

/// The exercise named on a command line, or those among which it is recognised.
struct ExerciseChoice: Sendable {
    /// The exercise; nil for the one that is recognised.
    private(set) var exercise: Exercise?
    /// The exercises it may be.
    private(set) var exercises = ExerciseLibrary.all

    /// Takes "auto", any spelling of an exercise's name, or a file that ends in `.json`.
    init(_ argument: String) throws(KinemaError) {
        if Self.isFile(argument) {
            exercises = try ExerciseLibrary.read(contentsOf: URL(filePath: argument))
            if exercises.count == 1 { exercise = exercises.first }
        } else if argument.lowercased() != "auto" {
            exercise = try Self.known(argument)
        }
    }

    /// The exercises of a name or of a file.
    static func exercises(_ argument: String) throws(KinemaError) -> [Exercise] {
        isFile(argument) ? try ExerciseLibrary.read(contentsOf: URL(filePath: argument)) : [try known(argument)]
    }

    private static func isFile(_ argument: String) -> Bool { argument.lowercased().hasSuffix(".json") }

    private static func known(_ name: String) throws(KinemaError) -> Exercise {
        guard let exercise = ExerciseLibrary.exercise(named: name) else {
            throw KinemaError(
                .invalidArgument,
                "there is no exercise \(name); there are \(ExerciseLibrary.all.map(\.name).joined(separator: ", ")), "
                    + "auto, and your own in a .json file")
        }
        return exercise
    }
}
