public import Foundation

/// Turns one value into another: one output for each input.
public protocol Transformer<Input, Output> {
    /// What goes in.
    associatedtype Input
    /// What comes out.
    associatedtype Output

    /// Turns an input into an output, reporting progress to the handler if there is one.
    func applied(to input: Input, eventHandler: EventHandler?) async throws -> Output
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

    /// A temporal transformer that applies this one to each element and then the other to the sequence.
    public func appending<Other>(_ other: Other) -> ComposedTemporalTransformer<TemporalAdaptor<Self>, Other>
    where Self: Sendable, Other: TemporalTransformer, Output == Other.Input {
        ComposedTemporalTransformer(TemporalAdaptor(self), other)
    }

    /// This transformer, applied to each element of a temporal sequence.
    public func adaptedAsTemporal() -> TemporalAdaptor<Self> where Self: Sendable {
        TemporalAdaptor(self)
    }

    /// This transformer, applied to each element of a temporal sequence.
    public func adaptedAsTemporal() -> TransformerToTemporalAdaptor<Self> {
        TransformerToTemporalAdaptor(self)
    }

    /// Always throws `unsupported`: Core ML models can be made on Apple's systems only.
    public func export(to url: URL) throws {
        throw KinemaError(
            .unsupported, "Core ML export needs Apple's frameworks; keep the transformer in Swift", file: url.path)
    }
}
