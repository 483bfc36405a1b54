public import ArgumentParser
import Foundation
public import Kinema
import KinemaCore

/// What finds bodies: `blazepose`, or `posenet:FILE`.
enum BodyModel: ExpressibleByArgument, Equatable {
    case blazePose
    case poseNet(file: String)

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        switch (parts[0].lowercased(), parts.count) {
        case ("blazepose", 1): self = .blazePose
        case ("posenet", _): self = .poseNet(file: parts.count == 2 ? parts[1] : "")
        default: return nil
        }
    }

    var defaultValueDescription: String { "blazepose" }

    /// PoseNet's file; nil for BlazePose.
    var poseNetFile: String? {
        if case .poseNet(let file) = self { file } else { nil }
    }
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

/// Which model finds bodies, and how.
struct BodyModelOptionGroup: ParsableArguments {
    @Option(help: "What finds bodies: blazepose, or posenet:FILE with any MobileNetV1 PoseNet as .tflite.")
    var model = BodyModel.blazePose

    @Option(help: "With posenet: single for one person, multiple for everyone, which it is without.")
    var algorithm: PoseBuilderConfiguration.Algorithm?

    /// PoseNet as the options want it. Throws in one line what is wrong with the file.
    func poseNet(_ file: String, _ body: BodyOptionGroup) throws -> PoseNetOptions {
        guard !file.isEmpty else { throw wrong("posenet needs its model's file: --model posenet:FILE") }
        var configuration = PoseBuilderConfiguration()
        configuration.algorithm = algorithm ?? .multiple
        configuration.maxPoseCount = body.maxPeople
        return PoseNetOptions(
            model: try PoseNetModel(contentsOf: URL(filePath: file)), configuration: configuration,
            precision: body.usualPrecision)
    }

    /// Refuses, in one line, what PoseNet cannot do or what has no meaning for it.
    func refuse(_ body: BodyOptionGroup, findsNoBodies: Bool, export: PoseExportFormat?) throws {
        if findsNoBodies { throw wrong("--no-bodies leaves nothing for --model posenet to do; leave one out") }
        if body.search != .automatic {
            throw wrong("--search goes with blazepose; posenet looks at the whole picture at once")
        }
        if body.exact { throw wrong("--exact goes with blazepose; posenet looks at every frame by itself") }
        if let export, export == .trc || export == .mot {
            throw wrong("--export \(export.rawValue) needs depth, which posenet does not give; use blazepose")
        }
    }

    /// Refuses an algorithm for a model that has none to choose from.
    func refuseAlgorithm() throws {
        if algorithm != nil { throw wrong("--algorithm goes with --model posenet:FILE") }
    }

    private func wrong(_ text: String) -> KinemaError {
        KinemaError(.invalidArgument, text)
    }
}
