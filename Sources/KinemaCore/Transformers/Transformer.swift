public import Foundation

/// Turns one value into another: one output for each input.
public protocol Transformer<Input, Output> {
    /// What goes in.
    associatedtype Input
    /// What comes out.
    associatedtype Output

    /// Turns an input into an output, reporting progress to the handler if there is one.
    func applied(to input: Input, eventHandler: EventHandler?) async throws -> Output

    /// Turns each element of a temporal sequence into an output, as the sequence is read.
    ///
    /// By default each element by itself; a transformer that must remember what came before has its own.
    func applied<S>(to input: S, eventHandler: EventHandler?) async throws -> AnyTemporalSequence<Output>
    where S: TemporalSequence, S.Feature == Input
}

extension Transformer {
    /// Turns an input into an output; the same as `applied(to:eventHandler:)`.
    public func callAsFunction(_ input: Input, eventHandler: EventHandler? = nil) async throws -> Output {
        try await applied(to: input, eventHandler: eventHandler)
    }

    /// A transformer that applies this one and then the other.
    public func appending<Other>(_ other: Other) -> ComposedTransformer<Self, Other>
    where Other: Transformer, Output == Other.Input {
        ComposedTransformer(self, other)
    }

    /// A temporal transformer that applies this one to each element and then the other to the sequence.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedTemporalTransformer<TransformerToTemporalAdaptor<Self>, Other>
    where Other: TemporalTransformer, Output == Other.Input {
        ComposedTemporalTransformer(TransformerToTemporalAdaptor(self), other)
    }

    /// A transformer that applies this one to the features of annotated inputs and then the other, which needs the
    /// annotations.
    public func appending<Other, Annotation>(
        _ other: Other
    ) -> some Transformer<AnnotatedFeature<Input, Annotation>, Other.Output>
    where Other: Transformer, Other.Input == AnnotatedFeature<Output, Annotation> {
        ComposedTransformer(AnnotatedFeatureTransformer(base: self), other)
    }

    /// This transformer, applied to each element of a temporal sequence.
    public func adaptedAsTemporal() -> TransformerToTemporalAdaptor<Self> {
        TransformerToTemporalAdaptor(self)
    }

    /// This transformer, applied to the features of annotated inputs, whose annotations it keeps.
    public func adaptedAsAnnotatedFeatureTransformer<Annotation>(
        annotationType: Annotation.Type
    ) -> some Transformer<AnnotatedFeature<Input, Annotation>, AnnotatedFeature<Output, Annotation>> {
        AnnotatedFeatureTransformer(base: self)
    }

    /// Always throws `unsupported`: Core ML models can be made on Apple's systems only.
    public func export(to url: URL) throws {
        throw KinemaError(
            .unsupported, "Core ML export needs Apple's frameworks; keep the transformer in Swift", file: url.path)
    }
    /// Always throws `unsupported`: Core ML models can be made on Apple's systems only.
    public func export(to url: URL, metadata: ModelMetadata) throws {
        try export(to: url)
    }
}

/// Applies a transformer to the feature and keeps the annotation.
private struct AnnotatedFeatureTransformer<Base, Annotation>: Transformer where Base: Transformer {
    let base: Base

    func applied(
        to input: AnnotatedFeature<Base.Input, Annotation>, eventHandler: EventHandler?
    ) async throws -> AnnotatedFeature<Base.Output, Annotation> {
        try await base.applied(to: input, eventHandler: eventHandler)
    }
}
