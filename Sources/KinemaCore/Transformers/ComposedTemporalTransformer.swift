/// Two temporal transformers in a row: the outer one reads what the inner one makes.
public struct ComposedTemporalTransformer<Inner, Outer>: TemporalTransformer
where Inner: TemporalTransformer, Outer: TemporalTransformer, Inner.Output == Outer.Input {
    /// What each element of the inner transformer's input holds.
    public typealias Input = Inner.Input
    /// What each element of the outer transformer's output holds.
    public typealias Output = Outer.Output
    /// The outer transformer's sequence.
    public typealias OutputSequence = Outer.OutputSequence

    /// Applied first.
    public var inner: Inner
    /// Applied to what the inner transformer makes.
    public var outer: Outer

    /// Puts two temporal transformers in a row.
    public init(_ inner: Inner, _ outer: Outer) {
        self.inner = inner
        self.outer = outer
    }

    /// Applies the inner and then the outer transformer, while the output is read.
    public func applied<S>(to input: S, eventHandler: EventHandler? = nil) async throws -> Outer.OutputSequence
    where S: TemporalSequence, Inner.Input == S.Feature {
        let between = try await inner.applied(to: input, eventHandler: eventHandler)
        return try await outer.applied(to: between, eventHandler: eventHandler)
    }
}

extension ComposedTemporalTransformer: Sendable where Inner: Sendable, Outer: Sendable {}
extension ComposedTemporalTransformer: Encodable where Inner: Encodable, Outer: Encodable {}
extension ComposedTemporalTransformer: Decodable where Inner: Decodable, Outer: Decodable {}
