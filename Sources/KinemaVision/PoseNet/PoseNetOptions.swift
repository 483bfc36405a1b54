/// The options for detecting bodies with a PoseNet model.
public struct PoseNetOptions: Sendable, Hashable {
    package let model: PoseNetModel
    package let configuration: PoseBuilderConfiguration
    package let precision: ModelStore.Precision

    /// Creates options; the defaults detect everyone.
    public init(
        model: PoseNetModel, configuration: PoseBuilderConfiguration = .init(), precision: ModelStore.Precision = .f32
    ) {
        (self.model, self.configuration, self.precision) = (model, configuration, precision)
    }
}
