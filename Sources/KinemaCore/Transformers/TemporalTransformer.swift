/// Turns a sequence in time into another one; several inputs may go into one output.
public protocol TemporalTransformer<Input, Output> {
    /// What each element of the input holds.
    associatedtype Input
    /// What each element of the output holds.
    associatedtype Output
    /// The sequence that comes out.
    associatedtype OutputSequence: TemporalSequence where OutputSequence.Feature == Output

    /// Starts to turn a sequence into another, reporting progress to the handler if there is one.
    ///
    /// The work is done while the output is read.
    func applied<S>(to input: S, eventHandler: EventHandler?) async throws -> OutputSequence
    where S: TemporalSequence, Input == S.Feature
}

extension TemporalTransformer {
    /// Turns a sequence into another; the same as `applied(to:eventHandler:)`.
    public func callAsFunction<S>(_ input: S, eventHandler: EventHandler? = nil) async throws -> OutputSequence
    where S: TemporalSequence, Input == S.Feature {
        try await applied(to: input, eventHandler: eventHandler)
    }

    /// Turns each of several sequences into another.
    public func callAsFunction<S>(to input: S, eventHandler: EventHandler? = nil) async throws -> [OutputSequence]
    where S: Sequence, S.Element: TemporalSequence, Input == S.Element.Feature {
        try await applied(to: input, eventHandler: eventHandler)
    }

    /// Turns each of several sequences into another.
    public func applied<S>(to input: S, eventHandler: EventHandler? = nil) async throws -> [OutputSequence]
    where S: Sequence, S.Element: TemporalSequence, Input == S.Element.Feature {
        var outputs: [OutputSequence] = []
        for sequence in input {
            outputs.append(try await applied(to: sequence, eventHandler: eventHandler))
        }
        return outputs
    }

    /// Turns each of several annotated sequences into another and keeps the annotations.
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

    /// A temporal transformer that applies this one and then the other.
    public func appending<Other>(_ other: Other) -> ComposedTemporalTransformer<Self, Other>
    where Other: TemporalTransformer, Output == Other.Input {
        ComposedTemporalTransformer(self, other)
    }

    /// A temporal transformer that applies this one and then the other to each element.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedTemporalTransformer<Self, TransformerToTemporalAdaptor<Other>>
    where Other: Transformer, Output == Other.Input {
        ComposedTemporalTransformer(self, TransformerToTemporalAdaptor(other))
    }
}
