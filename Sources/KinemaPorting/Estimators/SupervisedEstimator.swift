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
