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
