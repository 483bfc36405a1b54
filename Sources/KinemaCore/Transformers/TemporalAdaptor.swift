/// A transformer applied to each element of a temporal sequence.
public struct TransformerToTemporalAdaptor<Base>: TemporalTransformer where Base: Transformer {
    /// What the transformer takes.
    public typealias Input = Base.Input
    /// What the transformer makes.
    public typealias Output = Base.Output
    /// The sequence of what the transformer makes.
    public typealias OutputSequence = AnyTemporalSequence<Base.Output>

    /// The transformer applied to each element.
    public var base: Base

    /// Adapts a transformer to temporal sequences.
    public init(_ base: Base) {
        self.base = base
    }

    /// Applies the transformer to each element while the output is read; each keeps its place in time.
    public func applied<S>(to input: S, eventHandler: EventHandler? = nil) async throws
        -> AnyTemporalSequence<Base.Output> where S: TemporalSequence, Base.Input == S.Feature
    {
        try await base.applied(to: input, eventHandler: eventHandler)
    }
}

extension TransformerToTemporalAdaptor: Sendable where Base: Sendable {}
extension TransformerToTemporalAdaptor: Encodable where Base: Encodable {}
extension TransformerToTemporalAdaptor: Decodable where Base: Decodable {}

/// The same adaptor under the name it has had since Apple's systems of 2024, for transformers that are `Sendable`.
public typealias TemporalAdaptor<Base> = TransformerToTemporalAdaptor<Base> where Base: Transformer & Sendable
