public import KinemaCore

/// The options for detecting bodies with a chosen model.
public struct ChosenModelOptions: Sendable, Hashable {
    package let model: ChosenModel
    package let detector: ChosenModel?
    /// The maximum number of people to track at once.
    public var maximumPeople = 16
    /// Run the detector on every Nth frame; nil to run it as often as needed.
    public var detectEvery: Int?
    /// The numeric precision of inference; it does not affect 8-bit models.
    package var precision: ModelStore.Precision

    package var name: String { model.manifest.name }

    /// Creates options; a top-down model uses the detector that its description names, if any.
    ///
    /// Throws `.unreadableInput` for a model without joints or an unsuitable detector.
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
