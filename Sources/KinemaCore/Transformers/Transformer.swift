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

/// A value together with what is known about it, such as its class.
public struct AnnotatedFeature<Feature, Annotation> {
    /// The value.
    public var feature: Feature
    /// What is known about it.
    public var annotation: Annotation

    /// Makes an annotated value.
    public init(feature: Feature, annotation: Annotation) {
        self.feature = feature
        self.annotation = annotation
    }
}

extension AnnotatedFeature: Sendable where Feature: Sendable, Annotation: Sendable {}
extension AnnotatedFeature: Equatable where Feature: Equatable, Annotation: Equatable {}
extension AnnotatedFeature: Hashable where Feature: Hashable, Annotation: Hashable {}
extension AnnotatedFeature: Encodable where Feature: Encodable, Annotation: Encodable {}
extension AnnotatedFeature: Decodable where Feature: Decodable, Annotation: Decodable {}

/// Two transformers in a row: the outer one gets what the inner one makes.
public struct ComposedTransformer<Inner, Outer>: Transformer
where Inner: Transformer, Outer: Transformer, Inner.Output == Outer.Input {
    /// What goes into the inner transformer.
    public typealias Input = Inner.Input
    /// What the outer transformer makes.
    public typealias Output = Outer.Output

    /// Applied first.
    public var inner: Inner
    /// Applied to what the inner transformer makes.
    public var outer: Outer

    /// Puts two transformers in a row.
    public init(_ inner: Inner, _ outer: Outer) {
        self.inner = inner
        self.outer = outer
    }

    /// Applies the inner and then the outer transformer.
    public func applied(to input: Inner.Input, eventHandler: EventHandler? = nil) async throws -> Outer.Output {
        let between = try await inner.applied(to: input, eventHandler: eventHandler)
        return try await outer.applied(to: between, eventHandler: eventHandler)
    }

    /// Applies the inner and then the outer transformer to each element, while the output is read.
    public func applied<S>(
        to input: S, eventHandler: EventHandler? = nil
    ) async throws -> AnyTemporalSequence<Outer.Output> where S: TemporalSequence, S.Feature == Inner.Input {
        let between = try await inner.applied(to: input, eventHandler: eventHandler)
        return try await outer.applied(to: between, eventHandler: eventHandler)
    }
}

extension ComposedTransformer: Sendable where Inner: Sendable, Outer: Sendable {}
extension ComposedTransformer: Encodable where Inner: Encodable, Outer: Encodable {}
extension ComposedTransformer: Decodable where Inner: Decodable, Outer: Decodable {}

/// A transformer applied to many inputs at once.
extension Transformer {
    /// Turns each input of a sequence into an output, in order, reporting each to the handler.
    public func applied<S>(to input: S, eventHandler: EventHandler? = nil) async throws -> [Output]
    where S: Sequence, S.Element == Input {
        var outputs: [Output] = []
        outputs.reserveCapacity(input.underestimatedCount)
        let progress = ProgressReporter(origin: Self.self, eventHandler: eventHandler)
        for element in input {
            outputs.append(try await applied(to: element, eventHandler: nil))
            progress.report(outputs.count)
        }
        return outputs
    }

    /// Turns the feature of an annotated input into an output and keeps the annotation.
    public func applied<Annotation>(
        to input: AnnotatedFeature<Input, Annotation>, eventHandler: EventHandler? = nil
    ) async throws -> AnnotatedFeature<Output, Annotation> {
        AnnotatedFeature(
            feature: try await applied(to: input.feature, eventHandler: eventHandler), annotation: input.annotation)
    }

    /// Turns the feature of each annotated input into an output and keeps the annotations.
    public func applied<S, Annotation>(
        to input: S, eventHandler: EventHandler? = nil
    ) async throws -> [AnnotatedFeature<Output, Annotation>]
    where S: Sequence, S.Element == AnnotatedFeature<Input, Annotation> {
        var outputs: [AnnotatedFeature<Output, Annotation>] = []
        outputs.reserveCapacity(input.underestimatedCount)
        let progress = ProgressReporter(origin: Self.self, eventHandler: eventHandler)
        for element in input {
            let output = try await applied(to: element.feature, eventHandler: nil)
            outputs.append(AnnotatedFeature(feature: output, annotation: element.annotation))
            progress.report(outputs.count)
        }
        return outputs
    }

    /// Turns each element of a temporal sequence into an output, as the sequence is read.
    public func applied<S>(
        to input: S, eventHandler: EventHandler? = nil
    ) async throws -> AnyTemporalSequence<Output> where S: TemporalSequence, S.Feature == Input {
        AnyTemporalSequence(ElementwiseSequence(base: input, transformer: self, eventHandler: eventHandler))
    }

    /// Turns each input of a sequence into an output; the same as `applied(to:eventHandler:)`.
    public func callAsFunction<S>(_ input: S, eventHandler: EventHandler? = nil) async throws -> [Output]
    where S: Sequence, S.Element == Input {
        try await applied(to: input, eventHandler: eventHandler)
    }

    /// Turns the feature of an annotated input into an output; the same as `applied(to:eventHandler:)`.
    public func callAsFunction<Annotation>(
        _ input: AnnotatedFeature<Input, Annotation>, eventHandler: EventHandler? = nil
    ) async throws -> AnnotatedFeature<Output, Annotation> {
        try await applied(to: input, eventHandler: eventHandler)
    }

    /// Turns the features of annotated inputs into outputs; the same as `applied(to:eventHandler:)`.
    public func callAsFunction<S, Annotation>(
        _ input: S, eventHandler: EventHandler? = nil
    ) async throws -> [AnnotatedFeature<Output, Annotation>]
    where S: Sequence, S.Element == AnnotatedFeature<Input, Annotation> {
        try await applied(to: input, eventHandler: eventHandler)
    }

    /// Turns each element of a temporal sequence into an output; the same as `applied(to:eventHandler:)`.
    public func callAsFunction<S>(
        _ input: S, eventHandler: EventHandler? = nil
    ) async throws -> AnyTemporalSequence<Output> where S: TemporalSequence, S.Feature == Input {
        try await applied(to: input, eventHandler: eventHandler)
    }
}
