public import KinemaCore

/// A transformer before an estimator: examples pass through the transformer, which is not fitted.
public struct PreprocessingEstimator<Preprocessor, Base>: FittedTransformerStorage
where
    Preprocessor: KinemaCore.Transformer, Base: FittedTransformerStorage,
    Preprocessor.Output == Base.Transformer.Input
{
    /// The preprocessor and the fitted transformer in sequence.
    public typealias Transformer = ComposedTransformer<Preprocessor, Base.Transformer>

    private let preprocessor: Preprocessor
    private let estimator: Base

    init(_ preprocessor: Preprocessor, _ estimator: Base) {
        (self.preprocessor, self.estimator) = (preprocessor, estimator)
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

extension PreprocessingEstimator: Estimator where Base: Estimator {
    /// Preprocesses the examples and fits the estimator to the result.
    public func fitted<InputSequence>(
        to input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws -> Transformer where InputSequence: Sequence, InputSequence.Element == Preprocessor.Input {
        let examples: [Preprocessor.Output] = try await preprocessor.applied(to: input, eventHandler: eventHandler)
        return ComposedTransformer(
            preprocessor, try await estimator.fitted(to: examples, eventHandler: eventHandler))
    }
}

extension PreprocessingEstimator: SupervisedEstimator where Base: SupervisedEstimator {
    /// The label of an example.
    public typealias Annotation = Base.Annotation

    /// Preprocesses the features and fits the estimator to the result.
    public func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation, eventHandler: EventHandler? = nil
    ) async throws -> Transformer
    where
        Input: Sequence, Input.Element == AnnotatedFeature<Preprocessor.Input, Annotation>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<Preprocessor.Input, Annotation>
    {
        let fitted = try await estimator.fitted(
            to: try await preprocessor.applied(to: input, eventHandler: eventHandler),
            validateOn: try await preprocessor.applied(to: validation, eventHandler: nil), eventHandler: eventHandler)
        return ComposedTransformer(preprocessor, fitted)
    }
}

extension PreprocessingEstimator: UpdatableTransformerStorage where Base: UpdatableTransformerStorage {
    /// The preprocessor and a transformer that is not fitted yet.
    public func makeTransformer() -> Transformer {
        ComposedTransformer(preprocessor, estimator.makeTransformer())
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

extension PreprocessingEstimator: UpdatableEstimator where Base: UpdatableEstimator {
    /// Preprocesses the examples and updates the transformer with the result.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws where InputSequence: Sequence, InputSequence.Element == Preprocessor.Input {
        let examples: [Preprocessor.Output] = try await preprocessor.applied(to: input, eventHandler: eventHandler)
        try await estimator.update(&transformer.outer, with: examples, eventHandler: eventHandler)
    }
}

extension PreprocessingEstimator: UpdatableSupervisedEstimator where Base: UpdatableSupervisedEstimator {
    /// Preprocesses the features and updates the transformer with the result.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Preprocessor.Input, Annotation> {
        try await estimator.update(
            &transformer.outer, with: try await preprocessor.applied(to: input, eventHandler: eventHandler),
            eventHandler: eventHandler)
    }
}

extension PreprocessingEstimator: Sendable where Preprocessor: Sendable, Base: Sendable {}

/// A transformer before a supervised estimator: features pass through the transformer, which is not fitted.
public typealias PreprocessingSupervisedEstimator = PreprocessingEstimator
/// A transformer before an updatable estimator.
public typealias PreprocessingUpdatableEstimator = PreprocessingEstimator
/// A transformer before an updatable supervised estimator.
public typealias PreprocessingUpdatableSupervisedEstimator = PreprocessingEstimator
