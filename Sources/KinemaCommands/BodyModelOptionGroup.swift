public import ArgumentParser
import Foundation
public import Kinema

/// The choice of body model: `blazepose`, `auto`, `posenet:FILE`, or the name, file or folder of a model.
package enum BodyModelChoice: ExpressibleByArgument, Equatable {
    case blazePose
    case automatic
    case poseNet(file: String)
    case named(String)

    package init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts.first?.lowercased(), parts.count) {
        case ("blazepose", 1): self = .blazePose
        case ("auto", 1): self = .automatic
        case ("posenet", 1): self = .poseNet(file: "")
        case ("posenet", _): self = .poseNet(file: parts[1])
        default: self = .named(argument)
        }
    }

    package var defaultValueDescription: String { "blazepose" }

    var poseNetFile: String? { if case .poseNet(let file) = self { file } else { nil } }
}

extension ModelStore.Device: ExpressibleByArgument {}

extension PoseBuilderConfiguration.Algorithm: ExpressibleByArgument {
    /// The algorithm by its name.
    public init?(argument: String) {
        guard let value = Self.allCases.first(where: { "\($0)" == argument }) else { return nil }
        self = value
    }

    /// The names.
    public static var allValueStrings: [String] { allCases.map { "\($0)" } }
}

/// The body model, and how PoseNet's maps become poses, with the thresholds of `PoseBuilderConfiguration`.
package struct BodyModelOptionGroup: ParsableArguments {
    package init() {}

    @Option(
        help: """
            The model that detects bodies: blazepose; auto, which uses \(FetchableModel.forCrowds), if installed, \
            for images and for crowds in files; a model by name, file (.onnx, .xml, .tflite, model.json) or folder; \
            or posenet:FILE for any MobileNetV1 PoseNet (.tflite).
            """)
    package var model = BodyModelChoice.blazePose

    @Option(help: "With a top-down model: the person detector, by name, file or folder.")
    var detector: String?

    @Option(help: "With a top-down model: run the detector on every Nth frame. (default: as often as needed)")
    var detectEvery: Int?

    @Option(help: "The device that models run on: CPU, GPU, NPU or AUTO, as OpenVINO offers them here.")
    package var device = ModelStore.Device.cpu

    @Option(help: "With posenet: single detects one person, multiple detects everyone. (default: multiple)")
    var algorithm: PoseBuilderConfiguration.Algorithm?

    @Option(help: "With posenet: ignore joints below this confidence, 0 to 1. (default: 0.1)")
    var jointThreshold: Double?

    @Option(help: "With posenet: drop people below this confidence, 0 to 1. (default: 0.5)")
    var poseThreshold: Double?

    @Option(help: "With posenet: merge joints of one kind within this distance, in pixels of its input. (default: 40)")
    var matchingJointDistance: Double?

    @Option(help: "With posenet: start a person only from the likeliest joint within this many cells. (default: 3)")
    var localSearchRadius: Int?

    @Option(help: "With posenet: the maximum number of people per frame, 1 to 100. (default: --max-people, or 15)")
    var maxPoses: Int?

    @Option(help: "With posenet: how many times to refine the position of the next joint, 0 to 100. (default: 3)")
    var refinementSteps: Int?

    package func validate() throws {
        if let file = model.poseNetFile {
            guard !file.isEmpty else { throw ValidationError("posenet needs a model file: --model posenet:FILE") }
        } else if let option = poseNetOptions.first {
            throw ValidationError("\(option) requires --model posenet:FILE")
        }
        if case .named = model {
        } else if let option = given(["--detector": detector != nil, "--detect-every": detectEvery != nil]).first {
            throw ValidationError("\(option) requires --model with a top-down model")
        }
        try require(detectEvery, in: 1...100_000, "--detect-every", "frames")
        for (name, value) in [("--joint-threshold", jointThreshold), ("--pose-threshold", poseThreshold)] {
            if let value, !(0...1).contains(value) { throw ValidationError("\(name) must be 0 to 1") }
        }
        try require(matchingJointDistance, in: 0...10_000, "--matching-joint-distance", "pixels")
        try require(localSearchRadius, in: 0...1000, "--local-search-radius", "cells")
        try require(maxPoses, in: 1...100, "--max-poses")
        try require(refinementSteps, in: 0...100, "--refinement-steps")
    }

    /// The given options that only PoseNet has.
    private var poseNetOptions: [String] {
        given([
            "--algorithm": algorithm != nil, "--joint-threshold": jointThreshold != nil,
            "--pose-threshold": poseThreshold != nil, "--matching-joint-distance": matchingJointDistance != nil,
            "--local-search-radius": localSearchRadius != nil, "--max-poses": maxPoses != nil,
            "--refinement-steps": refinementSteps != nil,
        ])
    }

    package func bodyModel(maxPeople: Int? = nil, _ precision: ModelStore.Precision) throws -> BodyModel {
        switch model {
        case .blazePose: return .blazePose
        case .automatic:
            let name = FetchableModel.forCrowds
            guard ChosenModel.installedNames.contains(name) else { return .blazePose }
            var options = try ChosenModelOptions(model: ChosenModel(name), precision: precision)
            options.maximumPeople = maxPeople ?? options.maximumPeople
            return .automatic(options)
        case .poseNet(let file): return .poseNet(try poseNet(file, maxPoses: maxPeople, precision))
        case .named(let name):
            let detector = try detector.map { try ChosenModel($0) }
            let found = try BodyModel(ChosenModel(name), detector: detector, precision: precision)
            guard case .chosen(var options) = found else { return found }
            if detectEvery != nil, options.model.manifest.kind != .topDown {
                throw KinemaError(.invalidArgument, "--detect-every requires a top-down model", file: name)
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
