/// Turns one value into another: one output for each input.
public protocol Transformer<Input, Output> {
    /// The input's type.
    associatedtype Input
    /// The output's type.
    associatedtype Output

    /// Transforms an input and reports progress to the handler, if there is one.
    func applied(to input: Input, eventHandler: EventHandler?) async throws -> Output

    /// Transforms each element of a temporal sequence lazily, by default independently.
    func applied<S>(to input: S, eventHandler: EventHandler?) async throws -> AnyTemporalSequence<Output>
    where S: TemporalSequence, S.Feature == Input
}

extension Transformer {
    /// Transforms an input; the same as `applied(to:eventHandler:)`.
    public func callAsFunction(_ input: Input, eventHandler: EventHandler? = nil) async throws -> Output {
        try await applied(to: input, eventHandler: eventHandler)
    }

    /// This transformer followed by another.
    public func appending<Other>(_ other: Other) -> ComposedTransformer<Self, Other>
    where Other: Transformer, Output == Other.Input {
        ComposedTransformer(self, other)
    }

    /// This transformer, applied to each element, followed by a temporal transformer.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedTemporalTransformer<TransformerToTemporalAdaptor<Self>, Other>
    where Other: TemporalTransformer, Output == Other.Input {
        ComposedTemporalTransformer(TransformerToTemporalAdaptor(self), other)
    }

    /// This transformer, applied to each element of a temporal sequence.
    public func adaptedAsTemporal() -> TransformerToTemporalAdaptor<Self> {
        TransformerToTemporalAdaptor(self)
    }
}

extension Transformer {
    /// Transforms each input of a sequence in order and reports each to the handler.
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

    /// Transforms each element of a temporal sequence lazily.
    public func applied<S>(
        to input: S, eventHandler: EventHandler? = nil
    ) async throws -> AnyTemporalSequence<Output> where S: TemporalSequence, S.Feature == Input {
        AnyTemporalSequence(count: input.count) {
            let progress = ProgressReporter(origin: Self.self, total: input.count, eventHandler: eventHandler)
            var (base, done) = (input.makeAsyncIterator(), 0)
            return AnyTemporalIterator {
                guard let element = try await base.next() else { return nil }
                let output = try await self.applied(to: element.feature, eventHandler: nil)
                done += 1
                progress.report(done)
                return TemporalFeature(id: element.id, feature: output)
            }
        }
    }

    /// Transforms each input of a sequence; the same as `applied(to:eventHandler:)`.
    public func callAsFunction<S>(_ input: S, eventHandler: EventHandler? = nil) async throws -> [Output]
    where S: Sequence, S.Element == Input {
        try await applied(to: input, eventHandler: eventHandler)
    }

    /// Transforms each element of a temporal sequence; the same as `applied(to:eventHandler:)`.
    public func callAsFunction<S>(
        _ input: S, eventHandler: EventHandler? = nil
    ) async throws -> AnyTemporalSequence<Output> where S: TemporalSequence, S.Feature == Input {
        try await applied(to: input, eventHandler: eventHandler)
    }
}

/// A value with an annotation, such as its class.
public struct AnnotatedFeature<Feature, Annotation> {
    /// The value.
    public var feature: Feature
    /// The annotation.
    public var annotation: Annotation

    /// Creates an annotated value.
    public init(feature: Feature, annotation: Annotation) {
        (self.feature, self.annotation) = (feature, annotation)
    }
}

extension AnnotatedFeature: Sendable where Feature: Sendable, Annotation: Sendable {}

extension AnnotatedFeature: Equatable where Feature: Equatable, Annotation: Equatable {}

extension AnnotatedFeature: Hashable where Feature: Hashable, Annotation: Hashable {}

extension AnnotatedFeature: Encodable where Feature: Encodable, Annotation: Encodable {}

extension AnnotatedFeature: Decodable where Feature: Decodable, Annotation: Decodable {}
