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

    @Option(help: "Analyse every Nth frame.")
    var downsample = 1

    @Option(parsing: .upToNextOption, help: "Joints to leave out, by Vision's names (leftWrist …).")
    var ignoreJoints: [String] = []

    @Option(parsing: .upToNextOption, help: "The only joints to look at, by Vision's names.")
    var selectJoints: [String] = []

    @Option(help: "Whom to count: all, each for himself or herself, or the most prominent person.")
    var people = PersonScope.prominent

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
            var configuration = CountAnalysis.Configuration()
            configuration.pipeline = body.countingPipeline
            configuration.scope = people
            configuration.downsample = downsample
            configuration.joints = JointChoice(ignored: ignoreJoints, selected: selectJoints).selector
            configuration.memory = chart.plot == nil ? .recent : .everything
            let outcome = try await media.run(CountAnalysis(configuration), outputs: [chart.plot], interruption) {
                try chart.write($0.analysis.recorded, of: $0.run)
            }
            if outcome.run.framesWithSomeone == 0, !interruption.isRaised {
                throw Console.shared.nobody(in: media.choice.source)
            }
        }
    }
}

extension PersonScope: ExpressibleByArgument {}
