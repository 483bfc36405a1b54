import ArgumentParser
import Foundation
import Kinema

/// How a classifier is trained: shared by `train` and `evaluate classify`.
struct TrainingOptionGroup: ParsableArguments {
    @Option(help: "The number of frames that the classifier looks at together.")
    var window = 60

    @Option(help: "Frames per second of the classifier; clips of other rates are resampled.")
    var rate = 30.0

    @Option(help: "Frames per second of stored sequences without times (.csv, .npy, .json).")
    var sourceRate = 30.0

    @Flag(help: "Learn each clip mirrored too, even if that does not help; the same as mirror in --augment.")
    var mirror = false

    @Option(
        help: ArgumentHelp(
            """
            How windows are varied to be learnt once more: none, or some of mirror, stretch (in time), rotation, scale, \
            jitter, joints (some dropped) and frames (some dropped), with commas between. (default: \
            mirror,stretch,rotation,scale,joints; mirror only where it names more of the clips left out)
            """, valueName: "kinds"))
    var augment: String?

    @Option(
        help: ArgumentHelp(
            """
            What is left out to choose by and to measure with: auto (each person in turn, each clip where people are \
            unknown), none, or a share of the people from 0.05 to 0.5. The classifier learns from all clips.
            """, valueName: "auto|none|share"))
    var validation = "auto"

    @Flag(help: "End at a clip that cannot be read or shows nobody, instead of leaving it out with a warning.")
    var strict = false

    @Option(help: "The random seed; the same seed gives the same classifier.")
    var seed = 0

    /// The kinds of variation by their names in the command.
    static let kinds: [(name: String, option: AugmentationOptions)] = [
        ("mirror", .horizontalFlip), ("stretch", .interpolateFrames), ("rotation", .rotate), ("scale", .scale),
        ("jitter", .jitter), ("joints", .dropJoints), ("frames", .dropFrames),
    ]

    /// The kinds that are asked for; nil for a name that is none.
    private var chosenKinds: AugmentationOptions? {
        guard let augment else { return .standard }
        guard augment != "none" else { return [] }
        var chosen: AugmentationOptions = []
        for name in augment.split(separator: ",", omittingEmptySubsequences: false) {
            guard let kind = Self.kinds.first(where: { $0.name == name }) else { return nil }
            chosen.insert(kind.option)
        }
        return chosen
    }

    private var chosenValidation: ActionValidation? {
        switch validation {
        case "auto": .automatic
        case "none": ActionValidation.none
        default: Double(validation).flatMap { (0.05...0.5).contains($0) ? .split($0) : nil }
        }
    }

    var trainer: ActionTrainer {
        var trainer = ActionTrainer()
        trainer.predictionWindowSize = window
        trainer.targetFrameRate = rate
        trainer.augmentationOptions = (chosenKinds ?? .standard).union(mirror ? .horizontalFlip : [])
        trainer.mirrorsOnlyIfBetter = !mirror && augment == nil
        trainer.validation = chosenValidation ?? .automatic
        trainer.randomSeed = seed
        return trainer
    }

    func validate() throws {
        guard (4...10_000).contains(window) else { throw ValidationError("--window takes 4 to 10000") }
        guard (1...1000).contains(rate), (1...1000).contains(sourceRate) else {
            throw ValidationError("--rate and --source-rate take 1 to 1000")
        }
        guard chosenKinds != nil else {
            throw ValidationError("--augment takes none, or some of \(Self.kinds.map(\.name).joined(separator: ","))")
        }
        guard chosenValidation != nil else { throw ValidationError("--validation takes auto, none or 0.05 to 0.5") }
    }
}
