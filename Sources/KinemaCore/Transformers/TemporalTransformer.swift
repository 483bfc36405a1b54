/// Turns one temporal sequence into another; several inputs may make one output.
public protocol TemporalTransformer<Input, Output> {
    /// The value of each input element.
    associatedtype Input
    /// The value of each output element.
    associatedtype Output
    /// The resulting sequence.
    associatedtype OutputSequence: TemporalSequence where OutputSequence.Feature == Output

    /// Transforms a sequence as the output is read and reports progress to the handler, if there is one.
    func applied<S>(to input: S, eventHandler: EventHandler?) async throws -> OutputSequence
    where S: TemporalSequence, Input == S.Feature
}

extension TemporalTransformer {
    /// Transforms a sequence; the same as `applied(to:eventHandler:)`.
    public func callAsFunction<S>(_ input: S, eventHandler: EventHandler? = nil) async throws -> OutputSequence
    where S: TemporalSequence, Input == S.Feature {
        try await applied(to: input, eventHandler: eventHandler)
    }

    /// Transforms each of several sequences.
    public func callAsFunction<S>(to input: S, eventHandler: EventHandler? = nil) async throws -> [OutputSequence]
    where S: Sequence, S.Element: TemporalSequence, Input == S.Element.Feature {
        try await applied(to: input, eventHandler: eventHandler)
    }

    /// Transforms each of several sequences.
    public func applied<S>(to input: S, eventHandler: EventHandler? = nil) async throws -> [OutputSequence]
    where S: Sequence, S.Element: TemporalSequence, Input == S.Element.Feature {
        var outputs: [OutputSequence] = []
        for sequence in input {
            outputs.append(try await applied(to: sequence, eventHandler: eventHandler))
        }
        return outputs
    }

    /// This transformer followed by another temporal transformer.
    public func appending<Other>(_ other: Other) -> ComposedTemporalTransformer<Self, Other>
    where Other: TemporalTransformer, Output == Other.Input {
        ComposedTemporalTransformer(self, other)
    }

    /// This transformer followed by one that is applied to each element.
    public func appending<Other>(
        _ other: Other
    ) -> ComposedTemporalTransformer<Self, TransformerToTemporalAdaptor<Other>>
    where Other: Transformer, Output == Other.Input {
        ComposedTemporalTransformer(self, TransformerToTemporalAdaptor(other))
    }
}

/// A transformer applied to each element of a temporal sequence.
public struct TransformerToTemporalAdaptor<Base>: TemporalTransformer where Base: Transformer {
    /// The transformer's input.
    public typealias Input = Base.Input
    /// The transformer's output.
    public typealias Output = Base.Output
    /// The sequence of the transformer's outputs.
    public typealias OutputSequence = AnyTemporalSequence<Base.Output>

    /// The transformer applied to each element.
    public var base: Base

    /// Adapts a transformer to temporal sequences.
    public init(_ base: Base) { self.base = base }

    /// Applies the transformer to each element as the output is read; the time ranges stay.
    public func applied<S>(to input: S, eventHandler: EventHandler? = nil) async throws
        -> AnyTemporalSequence<Base.Output> where S: TemporalSequence, Base.Input == S.Feature
    {
        try await base.applied(to: input, eventHandler: eventHandler)
    }
}

extension TransformerToTemporalAdaptor: Sendable where Base: Sendable {}
extension TransformerToTemporalAdaptor: Encodable where Base: Encodable {}
extension TransformerToTemporalAdaptor: Decodable where Base: Decodable {}

/// The adaptor's name on Apple's systems since 2024, for `Sendable` transformers.
public typealias TemporalAdaptor<Base> = TransformerToTemporalAdaptor<Base> where Base: Transformer & Sendable

/// Two temporal transformers in sequence: the outer one reads the inner one's output.
public struct ComposedTemporalTransformer<Inner, Outer>: TemporalTransformer
where Inner: TemporalTransformer, Outer: TemporalTransformer, Inner.Output == Outer.Input {
    /// The value of each element of the inner transformer's input.
    public typealias Input = Inner.Input
    /// The value of each element of the outer transformer's output.
    public typealias Output = Outer.Output
    /// The outer transformer's sequence.
    public typealias OutputSequence = Outer.OutputSequence

    /// Applied first.
    public var inner: Inner
    /// Applied to the inner transformer's output.
    public var outer: Outer

    /// Chains two temporal transformers.
    public init(_ inner: Inner, _ outer: Outer) { (self.inner, self.outer) = (inner, outer) }

    /// Applies the inner and then the outer transformer as the output is read.
    public func applied<S>(to input: S, eventHandler: EventHandler? = nil) async throws -> Outer.OutputSequence
    where S: TemporalSequence, Inner.Input == S.Feature {
        let intermediate = try await inner.applied(to: input, eventHandler: eventHandler)
        return try await outer.applied(to: intermediate, eventHandler: eventHandler)
    }
}

extension ComposedTemporalTransformer: Sendable where Inner: Sendable, Outer: Sendable {}
extension ComposedTemporalTransformer: Encodable where Inner: Encodable, Outer: Encodable {}
extension ComposedTemporalTransformer: Decodable where Inner: Decodable, Outer: Decodable {}

/// Two transformers in sequence: the outer one receives the inner one's output.
public struct ComposedTransformer<Inner, Outer>: Transformer
where Inner: Transformer, Outer: Transformer, Inner.Output == Outer.Input {
    /// The inner transformer's input.
    public typealias Input = Inner.Input
    /// The outer transformer's output.
    public typealias Output = Outer.Output

    /// Applied first.
    public var inner: Inner
    /// Applied to the inner transformer's output.
    public var outer: Outer

    /// Chains two transformers.
    public init(_ inner: Inner, _ outer: Outer) { (self.inner, self.outer) = (inner, outer) }

    /// Applies the inner and then the outer transformer.
    public func applied(to input: Inner.Input, eventHandler: EventHandler? = nil) async throws -> Outer.Output {
        let intermediate = try await inner.applied(to: input, eventHandler: eventHandler)
        return try await outer.applied(to: intermediate, eventHandler: eventHandler)
    }

    /// Applies the inner and then the outer transformer to each element as the output is read.
    public func applied<S>(
        to input: S, eventHandler: EventHandler? = nil
    ) async throws -> AnyTemporalSequence<Outer.Output> where S: TemporalSequence, S.Feature == Inner.Input {
        let intermediate = try await inner.applied(to: input, eventHandler: eventHandler)
        return try await outer.applied(to: intermediate, eventHandler: eventHandler)
    }
}

extension ComposedTransformer: Sendable where Inner: Sendable, Outer: Sendable {}

extension ComposedTransformer: Encodable where Inner: Encodable, Outer: Encodable {}

extension ComposedTransformer: Decodable where Inner: Decodable, Outer: Decodable {}
