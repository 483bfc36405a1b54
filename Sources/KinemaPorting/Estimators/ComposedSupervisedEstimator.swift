public import KinemaCore

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
