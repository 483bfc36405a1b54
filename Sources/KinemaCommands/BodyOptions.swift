public import ArgumentParser
import Foundation
public import Kinema
import KinemaCore

/// How bodies are found: shared by every command that looks for them.
struct BodyOptionGroup: ParsableArguments {
    @OptionGroup var finder: BodyModelOptionGroup

    @Option(help: "The most people to follow at once.")
    var maxPeople = 16

    @Option(
        help: """
            Where to look for people: whole (the whole picture), parts (small people in every search, slower), or \
            automatic (small people in searches spread over the frames).
            """)
    var search = BodyPoseOptions.Search.automatic

    @Option(
        help: """
            Arithmetic: f32, automatic for 16 bits where the processor has them, or int8 for the 8-bit models that \
            script/quantise makes. (default: f32 where repetitions are \
            counted and for exports of depth or angles, otherwise automatic)
            """)
    var precision: ModelStore.Precision?

    /// The arithmetic of whatever does not count.
    var usualPrecision: ModelStore.Precision { precision ?? .automatic }

    @Flag(help: "Keep the landmarks as the model gives them, without smoothing.")
    var raw = false

    @Flag(help: "Let each frame wait for the one before it: closer to the published model.")
    var exact = false

    @Flag(
        help: """
            Let the landmarks of people at rest stand for up to half a second, and say so in the output (held): fewer \
            inferences.
            """)
    var hold = false

    /// The pipeline that finds bodies; throws what is wrong with a model's file.
    var pipeline: PosePipeline { get throws { try pipeline(usualPrecision) } }

    /// The pipeline that finds the most prominent hand and no bodies.
    var handPipeline: PosePipeline {
        var pipeline = PosePipeline.handsOnly(
            HandPoseOptions(maximumHandCount: 1, precision: usualPrecision), smooths: !raw)
        pipeline.mode = exact ? .exact : .file
        pipeline.device = finder.device
        return pipeline
    }

    /// Refuses, in one line, what has no meaning where nothing but a hand is looked for.
    func refuseBodies(_ reason: String) throws {
        if finder.model != .blazePose || finder.detector != nil {
            throw KinemaError(.invalidArgument, "--model goes with bodies; \(reason)")
        }
        if search != .automatic { throw KinemaError(.invalidArgument, "--search goes with bodies; \(reason)") }
        if hold { throw KinemaError(.invalidArgument, "--hold goes with bodies; \(reason)") }
    }

    /// The pipeline to count repetitions with, or to export depth and angles.
    var precisePipeline: PosePipeline { get throws { try pipeline(precision ?? .counting) } }

    /// How repetitions of the most prominent person are counted.
    var counting: CountAnalysis.Configuration {
        get throws {
            var configuration = CountAnalysis.Configuration()
            configuration.pipeline = try precisePipeline
            return configuration
        }
    }

    private func pipeline(_ precision: ModelStore.Precision) throws -> PosePipeline {
        let options = BodyPoseOptions(
            maximumPeople: maxPeople, search: search, precision: precision, holdsPeopleAtRest: hold)
        var pipeline = PosePipeline(options: options, smooths: !raw, mode: exact ? .exact : .file)
        pipeline.model = try finder.bodyModel(maxPeople: maxPeople, precision)
        pipeline.device = finder.device
        return pipeline
    }

    func validate() throws {
        guard (1...100).contains(maxPeople) else { throw ValidationError("--max-people takes 1 to 100") }
        guard finder.model != .blazePose else { return }
        if search != .automatic {
            throw ValidationError("--search goes with blazepose; other models look at the whole picture")
        }
        if hold { throw ValidationError("--hold goes with blazepose") }
        if exact, finder.model.poseNetFile != nil {
            throw ValidationError("--exact goes with other models; posenet looks at every frame by itself")
        }
    }
}

extension BodyPoseOptions.Search: ExpressibleByArgument {}
extension ModelStore.Precision: ExpressibleByArgument {}
extension PoseExportFormat: ExpressibleByArgument {}

/// What finds bodies: `blazepose`, `posenet:FILE`, or the name, file or folder of a model.
enum BodyModelChoice: ExpressibleByArgument, Equatable {
    case blazePose
    case poseNet(file: String)
    case named(String)

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first?.lowercased(), parts.count) {
        case ("blazepose", 1): self = .blazePose
        case ("posenet", 1): self = .poseNet(file: "")
        case ("posenet", _): self = .poseNet(file: parts[1])
        default: self = .named(argument)
        }
    }

    var defaultValueDescription: String { "blazepose" }

    /// PoseNet's file; nil for any other model.
    var poseNetFile: String? {
        if case .poseNet(let file) = self { file } else { nil }
    }
}

extension ModelStore.Device: ExpressibleByArgument {
    /// The device by its name.
    public init?(argument: String) { self.init(rawValue: argument) }

    /// The name.
    public var defaultValueDescription: String { rawValue }
}

extension PoseBuilderConfiguration.Algorithm: ExpressibleByArgument {
    /// The algorithm by its name.
    public init?(argument: String) {
        guard let value = Self.allCases.first(where: { "\($0)" == argument }) else { return nil }
        self = value
    }

    /// The names.
    public static var allValueStrings: [String] { allCases.map { "\($0)" } }
}

/// Which model finds bodies, and how PoseNet's maps become poses: shared by the studio and every command that looks for
/// bodies. The thresholds are those of `PoseBuilderConfiguration`.
struct BodyModelOptionGroup: ParsableArguments {
    @Option(
        help: """
            The model that finds bodies: blazepose; a model by name, file (.onnx, .xml, .tflite, model.json) or folder; \
            or posenet:FILE for any MobileNetV1 PoseNet (.tflite).
            """)
    var model = BodyModelChoice.blazePose

    @Option(help: "With a top-down model: the detector that finds people, by name, file or folder.")
    var detector: String?

    @Option(help: "With a top-down model: run the detector on every Nth frame. (default: as often as needed)")
    var detectEvery: Int?

    @Option(help: "The device that models run on: CPU, GPU, NPU or AUTO, as OpenVINO offers them here.")
    var device = ModelStore.Device.cpu

    @Option(help: "With posenet: single finds one person, multiple finds everyone. (default: multiple)")
    var algorithm: PoseBuilderConfiguration.Algorithm?

    @Option(help: "With posenet: ignore joints below this confidence, 0 to 1. (default: 0.1)")
    var jointThreshold: Double?

    @Option(help: "With posenet: drop people below this confidence, 0 to 1. (default: 0.5)")
    var poseThreshold: Double?

    @Option(help: "With posenet: joints of one kind this near are the same, in pixels of its input. (default: 40)")
    var matchingJointDistance: Double?

    @Option(help: "With posenet: start a person only from the likeliest joint this many cells around. (default: 3)")
    var localSearchRadius: Int?

    @Option(help: "With posenet: the most people to build from a frame, 1 to 100. (default: --max-people, or 15)")
    var maxPoses: Int?

    @Option(help: "With posenet: how often to refine where the next joint lies, 0 to 100. (default: 3)")
    var refinementSteps: Int?

    func validate() throws {
        if let file = model.poseNetFile {
            guard !file.isEmpty else { throw ValidationError("posenet needs its model's file: --model posenet:FILE") }
        } else if let option = poseNetOptions.first {
            throw ValidationError("\(option) goes with --model posenet:FILE")
        }
        if case .named = model {
        } else {
            for (name, isGiven) in [("--detector", detector != nil), ("--detect-every", detectEvery != nil)]
            where isGiven {
                throw ValidationError("\(name) goes with --model and a top-down model")
            }
        }
        if let detectEvery, !(1...100_000).contains(detectEvery) {
            throw ValidationError("--detect-every takes 1 to 100000 frames")
        }
        for (name, value) in [("--joint-threshold", jointThreshold), ("--pose-threshold", poseThreshold)] {
            if let value, !(0...1).contains(value) { throw ValidationError("\(name) takes 0 to 1") }
        }
        if let matchingJointDistance, !(0...10_000).contains(matchingJointDistance) {
            throw ValidationError("--matching-joint-distance takes 0 to 10000 pixels")
        }
        if let localSearchRadius, !(0...1000).contains(localSearchRadius) {
            throw ValidationError("--local-search-radius takes 0 to 1000 cells")
        }
        if let maxPoses, !(1...100).contains(maxPoses) { throw ValidationError("--max-poses takes 1 to 100") }
        if let refinementSteps, !(0...100).contains(refinementSteps) {
            throw ValidationError("--refinement-steps takes 0 to 100")
        }
    }

    /// The options given that only PoseNet understands.
    private var poseNetOptions: [String] {
        let options: [(name: String, isGiven: Bool)] = [
            ("--algorithm", algorithm != nil), ("--joint-threshold", jointThreshold != nil),
            ("--pose-threshold", poseThreshold != nil), ("--matching-joint-distance", matchingJointDistance != nil),
            ("--local-search-radius", localSearchRadius != nil), ("--max-poses", maxPoses != nil),
            ("--refinement-steps", refinementSteps != nil),
        ]
        return options.filter(\.isGiven).map(\.name)
    }

    /// What finds bodies, as the options want it. Throws in one line what is wrong with a file.
    func bodyModel(maxPeople: Int? = nil, _ precision: ModelStore.Precision) throws -> BodyModel {
        switch model {
        case .blazePose: return .blazePose
        case .poseNet(let file): return .poseNet(try poseNet(file, maxPoses: maxPeople, precision))
        case .named(let name):
            let detector = try detector.map { try ChosenModel($0) }
            let found = try BodyModel(ChosenModel(name), detector: detector, precision: precision)
            guard case .chosen(var options) = found else { return found }
            if detectEvery != nil, options.model.manifest.kind != .topDown {
                throw KinemaError(.invalidArgument, "--detect-every goes with a top-down model", file: name)
            }
            options.maximumPeople = maxPeople ?? options.maximumPeople
            options.detectEvery = detectEvery
            return .chosen(options)
        }
    }

    private func poseNet(
        _ file: String, maxPoses usual: Int?, _ precision: ModelStore.Precision
    ) throws -> PoseNetOptions {
        let standard = PoseBuilderConfiguration()
        var configuration = standard
        configuration.algorithm = algorithm ?? standard.algorithm
        configuration.jointConfidenceThreshold = jointThreshold ?? standard.jointConfidenceThreshold
        configuration.poseConfidenceThreshold = poseThreshold ?? standard.poseConfidenceThreshold
        configuration.matchingJointDistance = matchingJointDistance ?? standard.matchingJointDistance
        configuration.localSearchRadius = localSearchRadius ?? standard.localSearchRadius
        configuration.maxPoseCount = maxPoses ?? usual ?? standard.maxPoseCount
        configuration.adjacentJointOffsetRefinementSteps =
            refinementSteps ?? standard.adjacentJointOffsetRefinementSteps
        return PoseNetOptions(
            model: try PoseNetModel(contentsOf: URL(filePath: file)), configuration: configuration, precision: precision
        )
    }
}
