/// How bodies are found by a PoseNet model.
public struct PoseNetOptions: Sendable, Hashable {
    /// The model.
    public var model: PoseNetModel
    /// How poses are built from what it says.
    public var configuration: PoseBuilderConfiguration
    /// How exact the arithmetic is; models of 8 bits stay what they are.
    public var precision: ModelStore.Precision

    /// Makes options; the defaults find everyone.
    public init(
        model: PoseNetModel, configuration: PoseBuilderConfiguration = .init(), precision: ModelStore.Precision = .f32
    ) {
        self.model = model
        self.configuration = configuration
        self.precision = precision
    }
}
