public import ArgumentParser
public import Kinema

/// How bodies are looked for: shared by every command that does.
struct BodyOptionGroup: ParsableArguments {
    @Option(help: "The most people that are followed at once.")
    var maxPeople = 16

    @Option(
        help: """
            Where people are looked for: whole, parts (small people in every search, slower), automatic (small people \
            in searches spread over the frames).
            """)
    var search = BodyPoseOptions.Search.automatic

    @Option(
        help: """
            Arithmetic: f32, or automatic for 16 bit where the processor has it. (default: f32 where repetitions are \
            counted, else automatic)
            """)
    var precision: ModelStore.Precision?

    /// The arithmetic of whatever does not count.
    var usualPrecision: ModelStore.Precision { precision ?? .automatic }

    @Flag(help: "Leave the landmarks as the model gives them, without smoothing.")
    var raw = false

    @Flag(help: "Let each frame wait for the one before: nearer to the published model, slower.")
    var exact = false

    /// The pipeline that finds the bodies.
    var pipeline: PosePipeline { pipeline(usualPrecision) }

    /// The pipeline to count repetitions with.
    var countingPipeline: PosePipeline { pipeline(precision ?? .counting) }

    /// How repetitions of the most prominent person are counted.
    var counting: CountAnalysis.Configuration {
        var configuration = CountAnalysis.Configuration()
        configuration.pipeline = countingPipeline
        return configuration
    }

    private func pipeline(_ precision: ModelStore.Precision) -> PosePipeline {
        let options = BodyPoseOptions(maximumPeople: maxPeople, search: search, precision: precision)
        return PosePipeline(options: options, smooths: !raw, readsAhead: !exact)
    }

    func validate() throws {
        guard (1...100).contains(maxPeople) else { throw ValidationError("--max-people takes 1 to 100") }
    }
}

extension BodyPoseOptions.Search: ExpressibleByArgument {}
extension ModelStore.Precision: ExpressibleByArgument {}
extension PoseExportFormat: ExpressibleByArgument {}
