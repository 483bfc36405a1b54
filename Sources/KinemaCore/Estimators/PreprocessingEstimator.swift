/// A transformer before an estimator: examples pass through the transformer, which is not fitted.
public struct PreprocessingEstimator<Preprocessor, Estimator>: KinemaCore.Estimator
where
    Preprocessor: KinemaCore.Transformer, Estimator: KinemaCore.Estimator,
    Preprocessor.Output == Estimator.Transformer.Input
{
    /// The preprocessor and the fitted transformer in sequence.
    public typealias Transformer = ComposedTransformer<Preprocessor, Estimator.Transformer>

    /// Applied to every example.
    public var preprocessor: Preprocessor
    /// Fitted to the preprocessor's output.
    public var estimator: Estimator

    /// Puts a transformer before an estimator.
    public init(_ preprocessor: Preprocessor, _ estimator: Estimator) {
        self.preprocessor = preprocessor
        self.estimator = estimator
    }

    /// The preprocessed examples; worth keeping when fitting several times.
    public func preprocessed<S>(
        from input: S, eventHandler: EventHandler? = nil
    ) async throws -> AnySequence<Preprocessor.Output> where S: Sequence, S.Element == Preprocessor.Input {
        AnySequence(try await preprocessor.applied(to: input, eventHandler: eventHandler))
    }

    /// Preprocesses the examples and fits the estimator to the result.
    public func fitted<InputSequence>(
        to input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws -> Transformer where InputSequence: Sequence, InputSequence.Element == Preprocessor.Input {
        let examples = try await preprocessed(from: input, eventHandler: eventHandler)
        return try await fitted(toPreprocessed: examples, eventHandler: eventHandler)
    }

    /// Fits the estimator to examples that are already preprocessed.
    public func fitted<S>(
        toPreprocessed input: S, eventHandler: EventHandler? = nil
    ) async throws -> Transformer where S: Sequence, S.Element == Preprocessor.Output {
        ComposedTransformer(preprocessor, try await estimator.fitted(to: input, eventHandler: eventHandler))
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

extension PreprocessingEstimator: UpdatableEstimator where Estimator: UpdatableEstimator {
    /// The preprocessor and a transformer that is not fitted yet.
    public func makeTransformer() -> Transformer {
        ComposedTransformer(preprocessor, estimator.makeTransformer())
    }

    /// Preprocesses the examples and updates the transformer with the result.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws where InputSequence: Sequence, InputSequence.Element == Preprocessor.Input {
        let examples = try await preprocessed(from: input, eventHandler: eventHandler)
        try await update(&transformer, withPreprocessed: examples, eventHandler: eventHandler)
    }

    /// Updates the transformer with examples that are already preprocessed.
    public func update<S>(
        _ transformer: inout Transformer, withPreprocessed input: S, eventHandler: EventHandler? = nil
    ) async throws where S: Sequence, S.Element == Preprocessor.Output {
        try await estimator.update(&transformer.outer, with: input, eventHandler: eventHandler)
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

/// A transformer before a supervised estimator: features pass through the transformer, which is not fitted.
public struct PreprocessingSupervisedEstimator<Preprocessor, Estimator>: SupervisedEstimator
where
    Preprocessor: KinemaCore.Transformer, Estimator: SupervisedEstimator,
    Preprocessor.Output == Estimator.Transformer.Input
{
    /// The preprocessor and the fitted transformer in sequence.
    public typealias Transformer = ComposedTransformer<Preprocessor, Estimator.Transformer>
    /// What is known about an example.
    public typealias Annotation = Estimator.Annotation

    /// Applied to every feature.
    public var preprocessor: Preprocessor
    /// Fitted to the preprocessor's output.
    public var estimator: Estimator

    /// Puts a transformer before a supervised estimator.
    public init(_ preprocessor: Preprocessor, _ estimator: Estimator) {
        self.preprocessor = preprocessor
        self.estimator = estimator
    }

    /// The preprocessed features; worth keeping when fitting several times.
    public func preprocessed<S>(
        from input: S, eventHandler: EventHandler? = nil
    ) async throws -> AnySequence<AnnotatedFeature<Preprocessor.Output, Annotation>>
    where S: Sequence, S.Element == AnnotatedFeature<Preprocessor.Input, Annotation> {
        AnySequence(try await preprocessor.applied(to: input, eventHandler: eventHandler))
    }

    /// Preprocesses the features and fits the estimator to the result.
    public func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation, eventHandler: EventHandler? = nil
    ) async throws -> Transformer
    where
        Input: Sequence, Input.Element == AnnotatedFeature<Preprocessor.Input, Annotation>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<Preprocessor.Input, Annotation>
    {
        let examples = try await preprocessed(from: input, eventHandler: eventHandler)
        let tests = try await preprocessed(from: validation)
        return try await fitted(toPreprocessed: examples, validateOn: tests, eventHandler: eventHandler)
    }

    /// Fits the estimator to examples that are already preprocessed.
    public func fitted<S>(
        toPreprocessed input: S, eventHandler: EventHandler? = nil
    ) async throws -> Transformer
    where S: Sequence, S.Element == AnnotatedFeature<Preprocessor.Output, Annotation> {
        ComposedTransformer(preprocessor, try await estimator.fitted(to: input, eventHandler: eventHandler))
    }

    /// Fits the estimator to examples that are already preprocessed, and validates it on others.
    public func fitted<S, V>(
        toPreprocessed input: S, validateOn validation: V, eventHandler: EventHandler? = nil
    ) async throws -> Transformer
    where
        S: Sequence, S.Element == AnnotatedFeature<Preprocessor.Output, Annotation>, V: Sequence,
        V.Element == AnnotatedFeature<Preprocessor.Output, Annotation>
    {
        ComposedTransformer(
            preprocessor,
            try await estimator.fitted(to: input, validateOn: validation, eventHandler: eventHandler))
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

extension PreprocessingSupervisedEstimator: UpdatableSupervisedEstimator
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
        let examples = try await preprocessed(from: input, eventHandler: eventHandler)
        try await update(&transformer, withPreprocessed: examples, eventHandler: eventHandler)
    }

    /// Updates the transformer with examples that are already preprocessed.
    public func update<S>(
        _ transformer: inout Transformer, withPreprocessed input: S, eventHandler: EventHandler? = nil
    ) async throws where S: Sequence, S.Element == AnnotatedFeature<Preprocessor.Output, Annotation> {
        try await estimator.update(&transformer.outer, with: input, eventHandler: eventHandler)
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
