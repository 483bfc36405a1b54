public import Foundation
public import KinemaCore

/// An estimator whose transformer can be updated with new examples.
public protocol UpdatableEstimator<Transformer>: Estimator, UpdatableTransformerStorage {
    /// Updates a transformer with examples.
    func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler?
    ) async throws where InputSequence: Sequence, InputSequence.Element == Transformer.Input
}

extension UpdatableEstimator {
    /// Updates a transformer with examples.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence
    ) async throws where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        try await update(&transformer, with: input, eventHandler: nil)
    }
}

/// A supervised estimator whose transformer can be updated with new annotated examples.
public protocol UpdatableSupervisedEstimator<Transformer, Annotation>: SupervisedEstimator, UpdatableTransformerStorage
{
    /// Updates a transformer with annotated examples.
    func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler?
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Transformer.Input, Annotation>
}

extension UpdatableSupervisedEstimator {
    /// Updates a transformer with annotated examples.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Transformer.Input, Annotation> {
        try await update(&transformer, with: input, eventHandler: nil)
    }
}

/// The storage of all updatable estimators: they begin unfitted, and store the optimizer too.
public protocol UpdatableTransformerStorage<Transformer>: FittedTransformerStorage {
    /// A transformer that is not fitted yet.
    func makeTransformer() -> Transformer

    /// Encodes a fitted transformer and its optimizer; by default the transformer alone.
    func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws

    /// Decodes the output of `encodeWithOptimizer`; by default with `decode`.
    func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer
}

extension UpdatableTransformerStorage {
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

    /// Reads a file of `writeWithOptimizer`; throws `unreadableInput` on failure.
    public func readWithOptimizer(from url: URL) throws -> Transformer {
        try EstimatorArchive.read(from: url) { try decodeWithOptimizer(from: &$0) }
    }
}

/// The storage of all estimators: they store a fitted transformer and read it back.
public protocol FittedTransformerStorage<Transformer> {
    /// The transformer to fit.
    associatedtype Transformer: KinemaCore.Transformer

    /// Encodes a fitted transformer; by default the transformer itself if it is `Codable`.
    func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws

    /// Decodes a fitted transformer; by default the transformer itself if it is `Codable`.
    func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer
}

extension FittedTransformerStorage {
    /// Always throws `unsupported`: the transformer is not `Encodable`.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        throw notCodable
    }

    /// Always throws `unsupported`: the transformer is not `Decodable`.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        throw notCodable
    }

    /// Writes a fitted transformer to a file; throws `unwritableOutput` on failure.
    public func write(_ transformer: Transformer, to url: URL, overwrite: Bool = true) throws {
        try EstimatorArchive.write(to: url, overwrite: overwrite) { try encode(transformer, to: &$0) }
    }

    /// Reads a transformer written by `write`; throws `unreadableInput` on failure.
    public func read(from url: URL) throws -> Transformer {
        try EstimatorArchive.read(from: url) { try decode(from: &$0) }
    }

    private var notCodable: KinemaError {
        KinemaError(
            .unsupported, "\(Transformer.self) cannot be stored; make it Codable or implement encode and decode")
    }
}

extension FittedTransformerStorage where Transformer: Encodable {
    /// Encodes the transformer itself.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try encoder.encode(transformer)
    }
}

extension FittedTransformerStorage where Transformer: Decodable {
    /// Decodes the transformer itself.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try decoder.decode(Transformer.self)
    }
}
