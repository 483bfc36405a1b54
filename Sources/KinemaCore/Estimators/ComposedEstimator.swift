/// Two estimators in sequence: the outer one is fitted to the output of the inner one's transformer.
public struct ComposedEstimator<Inner, Outer>: Estimator
where Inner: Estimator, Outer: Estimator, Inner.Transformer.Output == Outer.Transformer.Input {
    /// Both fitted transformers in sequence.
    public typealias Transformer = ComposedTransformer<Inner.Transformer, Outer.Transformer>

    /// Fitted first.
    public var inner: Inner
    /// Fitted to the inner transformer's output.
    public var outer: Outer

    /// Chains two estimators.
    public init(_ inner: Inner, _ outer: Outer) {
        self.inner = inner
        self.outer = outer
    }

    /// Fits the inner estimator, applies its transformer, and fits the outer estimator to the result.
    public func fitted<InputSequence>(
        to input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws -> Transformer where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        let examples = Array(input)
        let first = try await inner.fitted(to: examples, eventHandler: eventHandler)
        let intermediate = try await first.applied(to: examples, eventHandler: eventHandler)
        return ComposedTransformer(first, try await outer.fitted(to: intermediate, eventHandler: eventHandler))
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

extension ComposedEstimator: UpdatableEstimator where Inner: UpdatableEstimator, Outer: UpdatableEstimator {
    /// Both transformers, not yet fitted.
    public func makeTransformer() -> Transformer {
        ComposedTransformer(inner.makeTransformer(), outer.makeTransformer())
    }

    /// Updates the inner transformer, applies it, and updates the outer one with the result.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        let examples = Array(input)
        try await inner.update(&transformer.inner, with: examples, eventHandler: eventHandler)
        let intermediate = try await transformer.inner.applied(to: examples, eventHandler: eventHandler)
        try await outer.update(&transformer.outer, with: intermediate, eventHandler: eventHandler)
    }

    /// Encodes both transformers and their optimizers, the inner ones first.
    public func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try inner.encodeWithOptimizer(transformer.inner, to: &encoder)
        try outer.encodeWithOptimizer(transformer.outer, to: &encoder)
    }

    /// Decodes both transformers and their optimizers, the inner ones first.
    public func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        let first = try inner.decodeWithOptimizer(from: &decoder)
        return ComposedTransformer(first, try outer.decodeWithOptimizer(from: &decoder))
    }
}

extension ComposedEstimator: Sendable where Inner: Sendable, Outer: Sendable {}

/// Two supervised estimators in sequence: the outer one is fitted to the output of the inner one's transformer.
public struct ComposedSupervisedEstimator<Inner, Outer>: SupervisedEstimator
where
    Inner: SupervisedEstimator, Outer: SupervisedEstimator, Inner.Transformer.Output == Outer.Transformer.Input,
    Inner.Annotation == Outer.Annotation
{
    /// Both fitted transformers in sequence.
    public typealias Transformer = ComposedTransformer<Inner.Transformer, Outer.Transformer>
    /// What is known about an example.
    public typealias Annotation = Outer.Annotation

    /// Fitted first.
    public var inner: Inner
    /// Fitted to the inner transformer's output.
    public var outer: Outer

    /// Chains two supervised estimators.
    public init(_ inner: Inner, _ outer: Outer) {
        self.inner = inner
        self.outer = outer
    }

    /// Fits the inner estimator, applies its transformer, and fits the outer estimator to the result.
    public func fitted<Input, Validation>(
        to input: Input, validateOn validation: Validation, eventHandler: EventHandler? = nil
    ) async throws -> Transformer
    where
        Input: Sequence, Input.Element == AnnotatedFeature<Transformer.Input, Annotation>, Validation: Sequence,
        Validation.Element == AnnotatedFeature<Transformer.Input, Annotation>
    {
        let examples = Array(input)
        let tests = Array(validation)
        let first = try await inner.fitted(to: examples, validateOn: tests, eventHandler: eventHandler)
        let second = try await outer.fitted(
            to: try await first.applied(to: examples, eventHandler: eventHandler),
            validateOn: try await first.applied(to: tests, eventHandler: nil), eventHandler: eventHandler)
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

extension ComposedSupervisedEstimator: UpdatableSupervisedEstimator
where Inner: UpdatableSupervisedEstimator, Outer: UpdatableSupervisedEstimator {
    /// Both transformers, not yet fitted.
    public func makeTransformer() -> Transformer {
        ComposedTransformer(inner.makeTransformer(), outer.makeTransformer())
    }

    /// Updates the inner transformer, applies it, and updates the outer one with the result.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler? = nil
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Transformer.Input, Annotation> {
        let examples = Array(input)
        try await inner.update(&transformer.inner, with: examples, eventHandler: eventHandler)
        let intermediate = try await transformer.inner.applied(to: examples, eventHandler: eventHandler)
        try await outer.update(&transformer.outer, with: intermediate, eventHandler: eventHandler)
    }

    /// Encodes both transformers and their optimizers, the inner ones first.
    public func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try inner.encodeWithOptimizer(transformer.inner, to: &encoder)
        try outer.encodeWithOptimizer(transformer.outer, to: &encoder)
    }

    /// Decodes both transformers and their optimizers, the inner ones first.
    public func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        let first = try inner.decodeWithOptimizer(from: &decoder)
        return ComposedTransformer(first, try outer.decodeWithOptimizer(from: &decoder))
    }
}

extension ComposedSupervisedEstimator: Sendable where Inner: Sendable, Outer: Sendable {}
