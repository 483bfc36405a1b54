public import KinemaCore

/// A transformer before an estimator: examples pass through the transformer, which is not fitted.
public struct PreprocessingEstimator<Preprocessor, Estimator>: KinemaPorting.Estimator
where
    Preprocessor: KinemaCore.Transformer, Estimator: KinemaPorting.Estimator,
    Preprocessor.Output == Estimator.Transformer.Input
{
    /// The preprocessor and the fitted transformer in sequence.
    public typealias Transformer = ComposedTransformer<Preprocessor, Estimator.Transformer>

    private let preprocessor: Preprocessor
    private let estimator: Estimator

    init(_ preprocessor: Preprocessor, _ estimator: Estimator) {
        self.preprocessor = preprocessor
        self.estimator = estimator
    }

    /// Preprocesses the examples and fits the estimator to the result.
    public func fitted<InputSequence>(
        to input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws -> Transformer where InputSequence: Sequence, InputSequence.Element == Preprocessor.Input {
        let examples: [Preprocessor.Output] = try await preprocessor.applied(to: input, eventHandler: eventHandler)
        return ComposedTransformer(
            preprocessor, try await estimator.fitted(to: examples, eventHandler: eventHandler))
    }

    /// Encodes the fitted transformer without the preprocessor.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try estimator.encode(transformer.outer, to: &encoder)
    }

    /// Decodes the fitted transformer and adds this estimator's preprocessor.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        ComposedTransformer(preprocessor, try estimator.decode(from: &decoder))
    }
}

extension PreprocessingEstimator: UpdatableEstimator, UpdatableTransformerStorage where Estimator: UpdatableEstimator {
    /// The preprocessor and a transformer that is not fitted yet.
    public func makeTransformer() -> Transformer {
        ComposedTransformer(preprocessor, estimator.makeTransformer())
    }

    /// Preprocesses the examples and updates the transformer with the result.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws where InputSequence: Sequence, InputSequence.Element == Preprocessor.Input {
        let examples: [Preprocessor.Output] = try await preprocessor.applied(to: input, eventHandler: eventHandler)
        try await estimator.update(&transformer.outer, with: examples, eventHandler: eventHandler)
    }

    /// Encodes the fitted transformer and its optimizer.
    public func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try estimator.encodeWithOptimizer(transformer.outer, to: &encoder)
    }

    /// Decodes the fitted transformer and its optimizer.
    public func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        ComposedTransformer(preprocessor, try estimator.decodeWithOptimizer(from: &decoder))
    }
}

extension PreprocessingEstimator: Sendable where Preprocessor: Sendable, Estimator: Sendable {}

/// A transformer before an updatable estimator.
public typealias PreprocessingUpdatableEstimator<Preprocessor, Estimator> =
    PreprocessingEstimator<Preprocessor, Estimator>
where
    Preprocessor: KinemaCore.Transformer, Estimator: UpdatableEstimator,
    Preprocessor.Output == Estimator.Transformer.Input
