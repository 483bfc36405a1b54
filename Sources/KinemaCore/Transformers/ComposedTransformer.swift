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
