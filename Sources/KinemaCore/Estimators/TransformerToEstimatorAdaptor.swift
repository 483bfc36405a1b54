/// A transformer that is ready, where an estimator is wanted: fitting returns it as it is.
public struct TransformerToEstimatorAdaptor<Transformer>: UpdatableEstimator
where Transformer: KinemaCore.Transformer {
    /// The transformer that fitting returns.
    public let transformer: Transformer

    /// Makes an estimator of a transformer.
    public init(_ transformer: Transformer) {
        self.transformer = transformer
    }

    /// The transformer as it is.
    public func fitted<InputSequence>(
        to input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws -> Transformer where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        transformer
    }

    /// The transformer as it is.
    public func makeTransformer() -> Transformer { transformer }

    /// Changes nothing.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws where InputSequence: Sequence, InputSequence.Element == Transformer.Input {}

    /// Writes nothing: the transformer is known.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {}

    /// The transformer as it is.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer { transformer }
}

extension TransformerToEstimatorAdaptor: Sendable where Transformer: Sendable {}

/// A transformer that is ready, where an updatable estimator is wanted.
public typealias TransformerToUpdatableEstimatorAdaptor<Transformer> = TransformerToEstimatorAdaptor<Transformer>
where Transformer: KinemaCore.Transformer
