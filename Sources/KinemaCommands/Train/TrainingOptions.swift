import ArgumentParser
import Kinema

/// How a classifier is trained: shared by `train` and `evaluate classify`.
struct TrainingOptionGroup: ParsableArguments {
    @Option(help: "Frames in a window.")
    var window = 60

    @Option(help: "Frames a second; recordings of other rates are resampled by time.")
    var rate = 30.0

    @Option(help: "Frames a second of sequences that do not tell their own (.csv, .npy, .json).")
    var sourceRate = 30.0

    @Flag(help: "Left and right mean the same: learn each clip mirrored, too.")
    var mirror = false

    @Option(help: "The same seed gives the same classifier.")
    var seed = 0

    var trainer: ActionTrainer {
        var trainer = ActionTrainer()
        trainer.predictionWindowSize = window
        trainer.targetFrameRate = rate
        trainer.mirrors = mirror
        trainer.randomSeed = seed
        return trainer
    }

    func validate() throws {
        guard (4...10_000).contains(window) else { throw ValidationError("--window takes 4 to 10000") }
        guard (1...1000).contains(rate), (1...1000).contains(sourceRate) else {
            throw ValidationError("--rate and --source-rate take 1 to 1000")
        }
    }
}
