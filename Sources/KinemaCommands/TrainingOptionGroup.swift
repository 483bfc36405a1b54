import ArgumentParser
import Kinema

/// The options for training, of `train` and `evaluate classify`.
struct TrainingOptionGroup: ParsableArguments {
    @Option(help: "The number of frames in the classifier's window.")
    var window = 60

    @Option(help: "Frames per second of the classifier; clips of other rates are resampled.")
    var rate = 30.0

    @Option(help: "Frames per second of stored sequences without times (.csv, .npy, .json).")
    var sourceRate = 30.0

    @Option(help: TurnOptionGroup.rotation)
    var rotate: TurnOptionGroup.Rotation?

    @OptionGroup var time: TimeOptionGroup

    @Flag(help: "Also learn each clip mirrored, even if that does not help; the same as mirror in --augment.")
    var mirror = false

    @Option(
        help: ArgumentHelp(
            """
            The variations of each window to learn as well: none, or some of mirror, stretch (in time), rotation, scale, \
            jitter, joints (some dropped) and frames (some dropped), separated by commas. (default: \
            mirror,stretch,rotation,scale,joints; mirror only if it classifies more of the held-out clips correctly)
            """, valueName: "kinds"))
    var augment: String?

    @Option(
        help: ArgumentHelp(
            """
            What to hold out for choosing and measuring: auto (each person in turn, or each clip if people are unknown), none, \
            or a share of the people from 0.05 to 0.5. The classifier itself learns from all clips.
            """, valueName: "auto|none|share"))
    var validation = "auto"

    @Flag(help: "Fail on a clip that cannot be read or shows no person, instead of skipping it with a warning.")
    var strict = false

    @Option(help: "The random seed; the same seed gives the same classifier.")
    var seed = 0

    var orientation: PixelOrientation { PixelOrientation(degreesClockwise: rotate?.rawValue ?? 0) }

    /// The kinds of variation by their names in the command.
    static let kinds: [(name: String, option: AugmentationOptions)] = [
        ("mirror", .horizontalFlip), ("stretch", .interpolateFrames), ("rotation", .rotate), ("scale", .scale),
        ("jitter", .jitter), ("joints", .dropJoints), ("frames", .dropFrames),
    ]

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
        try require(window, in: 4...10_000, "--window")
        guard (1...1000).contains(rate), (1...1000).contains(sourceRate) else {
            throw ValidationError("--rate and --source-rate must be 1 to 1000")
        }
        guard chosenKinds != nil else {
            throw ValidationError("--augment must be none, or some of \(Self.kinds.map(\.name).joined(separator: ","))")
        }
        guard chosenValidation != nil else { throw ValidationError("--validation must be auto, none or 0.05 to 0.5") }
    }
}
