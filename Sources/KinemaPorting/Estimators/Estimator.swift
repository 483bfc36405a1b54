public import KinemaCore

/// Fits a transformer to examples.
public protocol Estimator<Transformer>: FittedTransformerStorage {
    /// Fits a transformer to examples and reports progress to the handler, if there is one.
    func fitted<InputSequence>(to input: InputSequence, eventHandler: EventHandler?) async throws -> Transformer
    where InputSequence: Sequence, InputSequence.Element == Transformer.Input
}

extension Estimator {
    /// Fits a transformer to examples.
    public func fitted<InputSequence>(to input: InputSequence) async throws -> Transformer
    where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        try await fitted(to: input, eventHandler: nil)
    }

    /// This estimator, fitted to the features, followed by a supervised one.
    public func appending<Other>(_ other: Other) -> ComposedSupervisedEstimator<Self, Other>
    where Other: SupervisedEstimator, Transformer.Output == Other.Transformer.Input {
        ComposedSupervisedEstimator(self, other)
    }
}

extension KinemaCore.Transformer {
    /// An estimator whose examples first pass through this transformer.
    public func appending<Other>(_ other: Other) -> PreprocessingEstimator<Self, Other>
    where Other: Estimator, Output == Other.Transformer.Input {
        PreprocessingEstimator(self, other)
    }

    /// A supervised estimator whose features first pass through this transformer.
    public func appending<Other>(_ other: Other) -> PreprocessingSupervisedEstimator<Self, Other>
    where Other: SupervisedEstimator, Output == Other.Transformer.Input {
        PreprocessingSupervisedEstimator(self, other)
    }
}
