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
