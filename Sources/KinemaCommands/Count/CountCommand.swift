public import ArgumentParser
import Foundation
public import Kinema

/// `kinema count`: repetitions of any exercise.
struct CountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "count", abstract: "Counts the repetitions of any exercise.",
        discussion: "Counts what comes back to where it began; the exercise needs no name.")

    @OptionGroup var media: MediaOptionGroup

    @OptionGroup var chart: PlotOptionGroup

    @OptionGroup var body: BodyOptionGroup

    @Option(help: "Analyse one frame of so many.")
    var downsample = 1

    @Option(parsing: .upToNextOption, help: "Joints to leave out, by Vision's names (leftWrist …).")
    var ignoreJoints: [String] = []

    @Option(parsing: .upToNextOption, help: "The only joints to look at, by Vision's names.")
    var selectJoints: [String] = []

    @Option(help: "Whom to count: all, each for himself or herself, or the most prominent person.")
    var people = PeopleCounter.Scope.prominent

    func validate() throws {
        guard downsample >= 1 else { throw ValidationError("--downsample takes 1 or more") }
        guard ignoreJoints.isEmpty || selectJoints.isEmpty else {
            throw ValidationError("--ignore-joints and --select-joints exclude each other")
        }
        let known = Set(BodySkeleton.joints.map(\.rawValue))
        if let unknown = (ignoreJoints + selectJoints).first(where: { !known.contains($0) }) {
            throw ValidationError(
                "there is no joint \(unknown); the joints are \(known.sorted().joined(separator: ", "))")
        }
        guard JointChoice(ignored: ignoreJoints, selected: selectJoints).canCount else {
            throw ValidationError(
                "these joints leave nothing to count: keep a shoulder or a hip, two joints of one limb or of the trunk, "
                    + "and four joints in all")
        }
    }

    func run() async throws {
        try await Interruption.guarding { interruption in
            let counting = try await countingRun().frames(interruption)
            Console.shared.endProgress()
            try StandardOutput().write(counting.report, as: media.format)
            Console.shared.warn(counting.diagnostics)
            if counting.report.framesWithSomeone == 0, !interruption.isRaised {
                throw Console.shared.nobody(in: media.choice.source)
            }
        }
    }

    private func countingRun() -> CountingRun {
        var run = CountingRun(input: media.choice, pipeline: body.countingPipeline)
        run.downsample = downsample
        run.joints = JointChoice(ignored: ignoreJoints, selected: selectJoints)
        run.scope = people
        run.overlay = media.overlay
        run.plot = chart.plot
        if media.format == .jsonl {
            run.onRepetition = { event in try StandardOutput().jsonLine(event.write) }
        }
        return run
    }
}

extension PeopleCounter.Scope: ExpressibleByArgument {}
