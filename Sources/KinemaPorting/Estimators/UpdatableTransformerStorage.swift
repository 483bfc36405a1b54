public import Foundation
import KinemaCore

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
