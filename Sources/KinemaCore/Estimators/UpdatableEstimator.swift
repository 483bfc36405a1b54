public import Foundation

/// An estimator whose transformer can be updated with new examples.
public protocol UpdatableEstimator<Transformer>: Estimator {
    /// A transformer that is not fitted yet.
    func makeTransformer() -> Transformer

    /// Updates a transformer with examples.
    func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler?
    ) async throws where InputSequence: Sequence, InputSequence.Element == Transformer.Input

    /// Encodes a fitted transformer and its optimizer; by default the transformer alone.
    func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws

    /// Decodes what `encodeWithOptimizer` wrote; by default with `decode`.
    func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer
}

extension UpdatableEstimator {
    /// Updates a transformer with examples.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence
    ) async throws where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        try await update(&transformer, with: input, eventHandler: nil)
    }

    /// Encodes a fitted transformer; there is no optimizer.
    public func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try encode(transformer, to: &encoder)
    }

    /// Decodes a fitted transformer; there is no optimizer.
    public func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try decode(from: &decoder)
    }

    /// Writes a transformer and its optimizer to a file; throws `unwritableOutput` on failure.
    public func writeWithOptimizer(_ transformer: Transformer, to url: URL, overwrite: Bool = true) throws {
        try EstimatorArchive.write(to: url, overwrite: overwrite) { try encodeWithOptimizer(transformer, to: &$0) }
    }

    /// Reads what `writeWithOptimizer` wrote; throws `unreadableInput` on failure.
    public func readWithOptimizer(from url: URL) throws -> Transformer {
        try EstimatorArchive.read(from: url) { try decodeWithOptimizer(from: &$0) }
    }
}

/// A supervised estimator whose transformer can be updated with new annotated examples.
public protocol UpdatableSupervisedEstimator<Transformer, Annotation>: SupervisedEstimator {
    /// A transformer that is not fitted yet.
    func makeTransformer() -> Transformer

    /// Updates a transformer with annotated examples.
    func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler?
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Transformer.Input, Annotation>

    /// Encodes a fitted transformer and its optimizer; by default the transformer alone.
    func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws

    /// Decodes what `encodeWithOptimizer` wrote; by default with `decode`.
    func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer
}

extension UpdatableSupervisedEstimator {
    /// Updates a transformer with annotated examples.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Transformer.Input, Annotation> {
        try await update(&transformer, with: input, eventHandler: nil)
    }

    /// Encodes a fitted transformer; there is no optimizer.
    public func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try encode(transformer, to: &encoder)
    }

    /// Decodes a fitted transformer; there is no optimizer.
    public func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try decode(from: &decoder)
    }

    /// Writes a transformer and its optimizer to a file; throws `unwritableOutput` on failure.
    public func writeWithOptimizer(_ transformer: Transformer, to url: URL, overwrite: Bool = true) throws {
        try EstimatorArchive.write(to: url, overwrite: overwrite) { try encodeWithOptimizer(transformer, to: &$0) }
    }

    /// Reads what `writeWithOptimizer` wrote; throws `unreadableInput` on failure.
    public func readWithOptimizer(from url: URL) throws -> Transformer {
        try EstimatorArchive.read(from: url) { try decodeWithOptimizer(from: &$0) }
    }
}
