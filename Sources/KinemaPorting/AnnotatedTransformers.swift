public import KinemaCore

extension Transformer {
    /// Transforms the feature of an annotated input and keeps the annotation.
    public func applied<Annotation>(
        to input: AnnotatedFeature<Input, Annotation>, eventHandler: EventHandler? = nil
    ) async throws -> AnnotatedFeature<Output, Annotation> {
        AnnotatedFeature(
            feature: try await applied(to: input.feature, eventHandler: eventHandler), annotation: input.annotation)
    }

    /// Transforms the features of annotated inputs and keeps the annotations.
    public func applied<S, Annotation>(
        to input: S, eventHandler: EventHandler? = nil
    ) async throws -> [AnnotatedFeature<Output, Annotation>]
    where S: Sequence, S.Element == AnnotatedFeature<Input, Annotation> {
        let input = Array(input)
        let outputs: [Output] = try await applied(to: input.map(\.feature), eventHandler: eventHandler)
        return zip(outputs, input).map { AnnotatedFeature(feature: $0, annotation: $1.annotation) }
    }

    /// Transforms the feature of an annotated input; the same as `applied(to:eventHandler:)`.
    public func callAsFunction<Annotation>(
        _ input: AnnotatedFeature<Input, Annotation>, eventHandler: EventHandler? = nil
    ) async throws -> AnnotatedFeature<Output, Annotation> {
        try await applied(to: input, eventHandler: eventHandler)
    }

    /// Transforms the features of annotated inputs; the same as `applied(to:eventHandler:)`.
    public func callAsFunction<S, Annotation>(
        _ input: S, eventHandler: EventHandler? = nil
    ) async throws -> [AnnotatedFeature<Output, Annotation>]
    where S: Sequence, S.Element == AnnotatedFeature<Input, Annotation> {
        try await applied(to: input, eventHandler: eventHandler)
    }

    /// This transformer, applied to the features of annotated inputs, followed by one that needs the annotations.
    public func appending<Other, Annotation>(
        _ other: Other
    ) -> some Transformer<AnnotatedFeature<Input, Annotation>, Other.Output>
    where Other: Transformer, Other.Input == AnnotatedFeature<Output, Annotation> {
        ComposedTransformer(AnnotatedFeatureTransformer(base: self), other)
    }

    /// This transformer, applied to the features of annotated inputs; it keeps the annotations.
    public func adaptedAsAnnotatedFeatureTransformer<Annotation>(
        annotationType: Annotation.Type
    ) -> some Transformer<AnnotatedFeature<Input, Annotation>, AnnotatedFeature<Output, Annotation>> {
        AnnotatedFeatureTransformer(base: self)
    }
}

private struct AnnotatedFeatureTransformer<Base, Annotation>: Transformer where Base: Transformer {
    let base: Base

    func applied(
        to input: AnnotatedFeature<Base.Input, Annotation>, eventHandler: EventHandler?
    ) async throws -> AnnotatedFeature<Base.Output, Annotation> {
        try await base.applied(to: input, eventHandler: eventHandler)
    }
}

extension TemporalTransformer {
    /// Transforms each of several annotated sequences and keeps the annotations.
    public func applied<S, T, Annotation>(
        to input: S, eventHandler: EventHandler? = nil
    ) async throws -> [AnnotatedFeature<OutputSequence, Annotation>]
    where S: Sequence, S.Element == AnnotatedFeature<T, Annotation>, T: TemporalSequence, Input == T.Feature {
        var outputs: [AnnotatedFeature<OutputSequence, Annotation>] = []
        for element in input {
            let output = try await applied(to: element.feature, eventHandler: eventHandler)
            outputs.append(AnnotatedFeature(feature: output, annotation: element.annotation))
        }
        return outputs
    }
}
