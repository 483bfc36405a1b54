public import KinemaCore

/// Fits a transformer to annotated examples.
public protocol SupervisedEstimator<Transformer, Annotation>: FittedTransformerStorage {
    /// The label of an example.
    associatedtype Annotation: Equatable

    /// Fits a transformer to annotated examples, by default without validation.
    func fitted<Input>(to input: Input, eventHandler: EventHandler?) async throws -> Transformer
    where Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation>

    /// Fits a transformer to annotated examples and validates it on others.
    func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation, eventHandler: EventHandler?
    ) async throws -> Transformer
    where
        Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<Transformer.Input, Annotation>
}

extension SupervisedEstimator {
    /// Fits a transformer to annotated examples without validation.
    public func fitted<Input>(to input: Input, eventHandler: EventHandler?) async throws -> Transformer
    where Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation> {
        let nothing = EmptyCollection<AnnotatedFeature<Transformer.Input, Annotation>>()
        return try await fitted(to: input, validateOn: nothing, eventHandler: eventHandler)
    }

    /// Fits a transformer to annotated examples.
    public func fitted<Input>(to input: Input) async throws -> Transformer
    where Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation> {
        try await fitted(to: input, eventHandler: nil)
    }

    /// Fits a transformer to annotated examples and validates it on others.
    public func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation
    ) async throws -> Transformer
    where
        Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<Transformer.Input, Annotation>
    {
        try await fitted(to: input, validateOn: validation, eventHandler: nil)
    }
}

/// An estimator followed by a supervised one, which is fitted to the output of the first one's transformer.
public struct ComposedSupervisedEstimator<Inner, Outer>: SupervisedEstimator
where Inner: Estimator, Outer: SupervisedEstimator, Inner.Transformer.Output == Outer.Transformer.Input {
    /// Both fitted transformers in sequence.
    public typealias Transformer = ComposedTransformer<Inner.Transformer, Outer.Transformer>
    /// The label of an example.
    public typealias Annotation = Outer.Annotation

    private let inner: Inner
    private let outer: Outer

    init(_ inner: Inner, _ outer: Outer) { (self.inner, self.outer) = (inner, outer) }

    /// Fits the inner estimator to the features, applies its transformer, and fits the outer estimator to the result.
    public func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation, eventHandler: EventHandler? = nil
    ) async throws -> Transformer
    where
        Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<Transformer.Input, Annotation>
    {
        let examples = Array(input)
        let first = try await inner.fitted(to: examples.map(\.feature), eventHandler: eventHandler)
        let second = try await outer.fitted(
            to: try await first.applied(to: examples, eventHandler: eventHandler),
            validateOn: try await first.applied(to: Array(validation), eventHandler: nil), eventHandler: eventHandler)
        return ComposedTransformer(first, second)
    }

    /// Encodes both transformers, the inner one first.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try inner.encode(transformer.inner, to: &encoder)
        try outer.encode(transformer.outer, to: &encoder)
    }

    /// Decodes both transformers, the inner one first.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        let first = try inner.decode(from: &decoder)
        return ComposedTransformer(first, try outer.decode(from: &decoder))
    }
}

extension ComposedSupervisedEstimator: Sendable where Inner: Sendable, Outer: Sendable {}

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
