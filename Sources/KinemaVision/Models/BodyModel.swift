public import KinemaCore

/// What finds bodies: the built-in model, or one that the user chooses.
public enum BodyModel: Sendable, Hashable {
    /// BlazePose, with depth.
    case blazePose
    /// PoseNet.
    case poseNet(PoseNetOptions)
    /// Any other model.
    case chosen(ChosenModelOptions)

    /// The chosen model with its options; PoseNet with those of its decoder.
    ///
    /// Throws what is wrong with the model or the detector.
    public init(
        _ model: ChosenModel, detector: ChosenModel? = nil, precision: ModelStore.Precision = .f32
    ) throws(KinemaError) {
        let options = try ChosenModelOptions(model: model, detector: detector, precision: precision)
        self = model.poseNet.map { .poseNet(PoseNetOptions(model: $0, precision: precision)) } ?? .chosen(options)
    }

    /// Whether people are searched for where they were in the frame before.
    package var followsRegions: Bool {
        switch self {
        case .blazePose: true
        case .poseNet: false
        case .chosen(let options): options.model.manifest.kind == .topDown
        }
    }
}

/// The options for finding bodies with a chosen model.
public struct ChosenModelOptions: Sendable, Hashable {
    package let model: ChosenModel
    /// The detector for a top-down model; nil for the built-in one.
    package let detector: ChosenModel?
    /// The most people to follow at once.
    public var maximumPeople = 16
    /// Run the detector on every Nth frame; nil to run it as often as needed.
    public var detectEvery: Int?
    /// The numeric precision of inference; it does not affect 8-bit models.
    package var precision: ModelStore.Precision

    /// Options for a model; without a detector, a top-down model has the one that its description names, if any.
    ///
    /// Throws `.unreadableInput` for a model that finds no joints, or a detector that is none.
    public init(
        model: ChosenModel, detector: ChosenModel? = nil, precision: ModelStore.Precision = .f32
    ) throws(KinemaError) {
        guard model.manifest.kind != .detector else {
            throw model.wrongKind("choose a model that finds joints, and this one as its detector")
        }
        if let detector {
            guard detector.manifest.kind == .detector else { throw detector.wrongKind("a detector is needed") }
            guard model.manifest.kind == .topDown else { throw model.wrongKind("it finds everyone without a detector") }
        }
        self.model = model
        if let detector { self.detector = detector } else { self.detector = try model.namedDetector() }
        self.precision = precision
    }
}
