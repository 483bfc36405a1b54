public import KinemaCore

/// An estimator whose transformer can be updated with new examples.
public protocol UpdatableEstimator<Transformer>: Estimator, UpdatableTransformerStorage {
    /// Updates a transformer with examples.
    func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler?
    ) async throws where InputSequence: Sequence, InputSequence.Element == Transformer.Input
}

extension UpdatableEstimator {
    /// Updates a transformer with examples.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence
    ) async throws where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        try await update(&transformer, with: input, eventHandler: nil)
    }
}

/// A supervised estimator whose transformer can be updated with new annotated examples.
public protocol UpdatableSupervisedEstimator<Transformer, Annotation>: SupervisedEstimator, UpdatableTransformerStorage
{
    /// Updates a transformer with annotated examples.
    func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler?
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Transformer.Input, Annotation>
}

extension UpdatableSupervisedEstimator {
    /// Updates a transformer with annotated examples.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Transformer.Input, Annotation> {
        try await update(&transformer, with: input, eventHandler: nil)
    }
}
