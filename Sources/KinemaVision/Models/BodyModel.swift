public import KinemaCore
import KinemaMedia

/// The model that detects bodies: the built-in one, or one that the user chooses.
public enum BodyModel: Sendable, Hashable {
    /// BlazePose, with depth.
    case blazePose
    /// PoseNet.
    case poseNet(PoseNetOptions)
    /// Any other model.
    case chosen(ChosenModelOptions)
    /// BlazePose, or the other model for pictures and for recordings of three or more people; live sources use BlazePose.
    ///
    /// The other model has to be top-down, with a detector of its own.
    case automatic(ChosenModelOptions)

    /// The chosen model with its options; throws a `KinemaError` for an unsuitable model or detector.
    public init(
        _ model: ChosenModel, detector: ChosenModel? = nil, precision: ModelStore.Precision = .f32
    ) throws(KinemaError) {
        let options = try ChosenModelOptions(model: model, detector: detector, precision: precision)
        self = model.poseNet.map { .poseNet(PoseNetOptions(model: $0, precision: precision)) } ?? .chosen(options)
    }
}

extension BodyModel {
    /// The name used by the command and in results; for an automatic choice, that of the better model.
    package var name: String {
        switch self {
        case .blazePose: "blazepose"
        case .poseNet: "posenet"
        case .chosen(let options), .automatic(let options): options.name
        }
    }

    /// The files and options that determine the result, the same on every machine. Throws Foundation's error if a
    /// PoseNet file has gone.
    package var identity: String {
        get throws {
            switch self {
            case .blazePose: name
            case .poseNet(let options):
                "\(try ContentDigest.sha256(contentsOf: options.model.file)) \(options.configuration) \(options.precision)"
            case .chosen(let options), .automatic(let options):
                ([options.model, options.detector].map { $0.map { "\($0.manifest) \($0.graph.sha256)" } ?? "-" } + [
                    "\(options.maximumPeople) \(options.detectEvery ?? 0) \(options.precision)"
                ]).joined(separator: " ")
            }
        }
    }
}
