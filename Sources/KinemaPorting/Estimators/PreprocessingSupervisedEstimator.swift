public import KinemaCore

/// A transformer before a supervised estimator: features pass through the transformer, which is not fitted.
public struct PreprocessingSupervisedEstimator<Preprocessor, Estimator>: SupervisedEstimator
where
    Preprocessor: KinemaCore.Transformer, Estimator: SupervisedEstimator,
    Preprocessor.Output == Estimator.Transformer.Input
{
    /// The preprocessor and the fitted transformer in sequence.
    public typealias Transformer = ComposedTransformer<Preprocessor, Estimator.Transformer>
    /// The label of an example.
    public typealias Annotation = Estimator.Annotation

    private let preprocessor: Preprocessor
    private let estimator: Estimator

    init(_ preprocessor: Preprocessor, _ estimator: Estimator) {
        self.preprocessor = preprocessor
        self.estimator = estimator
    }

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

    /// Encodes the fitted transformer without the preprocessor.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try estimator.encode(transformer.outer, to: &encoder)
    }

    /// Decodes the fitted transformer and adds this estimator's preprocessor.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        ComposedTransformer(preprocessor, try estimator.decode(from: &decoder))
    }
}

extension PreprocessingSupervisedEstimator: UpdatableSupervisedEstimator, UpdatableTransformerStorage
where Estimator: UpdatableSupervisedEstimator {
    /// The preprocessor and a transformer that is not fitted yet.
    public func makeTransformer() -> Transformer {
        ComposedTransformer(preprocessor, estimator.makeTransformer())
    }

    /// Preprocesses the features and updates the transformer with the result.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Preprocessor.Input, Annotation> {
        try await estimator.update(
            &transformer.outer, with: try await preprocessor.applied(to: input, eventHandler: eventHandler),
            eventHandler: eventHandler)
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

extension PreprocessingSupervisedEstimator: Sendable where Preprocessor: Sendable, Estimator: Sendable {}

/// A transformer before an updatable supervised estimator.
public typealias PreprocessingUpdatableSupervisedEstimator<Preprocessor, Estimator> =
    PreprocessingSupervisedEstimator<Preprocessor, Estimator>
where
    Preprocessor: KinemaCore.Transformer, Estimator: UpdatableSupervisedEstimator,
    Preprocessor.Output == Estimator.Transformer.Input
