public import Foundation

/// An estimator whose transformer can be fitted further to new examples.
public protocol UpdatableEstimator<Transformer>: Estimator {
    /// A transformer that was fitted to nothing yet.
    func makeTransformer() -> Transformer

    /// Fits a transformer further to a sequence of examples.
    func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler?
    ) async throws where InputSequence: Sequence, InputSequence.Element == Transformer.Input

    /// Hands a fitted transformer's values and the optimizer's to an encoder; by default those of `encode` alone.
    func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws

    /// Makes a transformer of what `encodeWithOptimizer` wrote; by default by `decode`.
    func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer
}

extension UpdatableEstimator {
    /// Fits a transformer further to a sequence of examples.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence
    ) async throws where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        try await update(&transformer, with: input, eventHandler: nil)
    }

    /// Hands a fitted transformer's values to an encoder; there is no optimizer.
    public func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try encode(transformer, to: &encoder)
    }

    /// Makes a transformer of a decoder's values; there is no optimizer.
    public func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try decode(from: &decoder)
    }

    /// Writes a transformer and its optimizer into a file; throws `unwritableOutput` when that fails.
    public func writeWithOptimizer(_ transformer: Transformer, to url: URL, overwrite: Bool = true) throws {
        try EstimatorArchive.write(to: url, overwrite: overwrite) { try encodeWithOptimizer(transformer, to: &$0) }
    }

    /// Reads what `writeWithOptimizer` wrote; throws `unreadableInput` when that fails.
    public func readWithOptimizer(from url: URL) throws -> Transformer {
        try EstimatorArchive.read(from: url) { try decodeWithOptimizer(from: &$0) }
    }
}

/// A supervised estimator whose transformer can be fitted further to new annotated examples.
public protocol UpdatableSupervisedEstimator<Transformer, Annotation>: SupervisedEstimator {
    /// A transformer that was fitted to nothing yet.
    func makeTransformer() -> Transformer

    /// Fits a transformer further to annotated examples.
    func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence, eventHandler: EventHandler?
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Transformer.Input, Annotation>

    /// Hands a fitted transformer's values and the optimizer's to an encoder; by default those of `encode` alone.
    func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws

    /// Makes a transformer of what `encodeWithOptimizer` wrote; by default by `decode`.
    func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer
}

extension UpdatableSupervisedEstimator {
    /// Fits a transformer further to annotated examples.
    public func update<InputSequence>(
        _ transformer: inout Transformer, with input: InputSequence
    ) async throws
    where InputSequence: Sequence, InputSequence.Element == AnnotatedFeature<Transformer.Input, Annotation> {
        try await update(&transformer, with: input, eventHandler: nil)
    }

    /// Hands a fitted transformer's values to an encoder; there is no optimizer.
    public func encodeWithOptimizer(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try encode(transformer, to: &encoder)
    }

    /// Makes a transformer of a decoder's values; there is no optimizer.
    public func decodeWithOptimizer(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try decode(from: &decoder)
    }

    /// Writes a transformer and its optimizer into a file; throws `unwritableOutput` when that fails.
    public func writeWithOptimizer(_ transformer: Transformer, to url: URL, overwrite: Bool = true) throws {
        try EstimatorArchive.write(to: url, overwrite: overwrite) { try encodeWithOptimizer(transformer, to: &$0) }
    }

    /// Reads what `writeWithOptimizer` wrote; throws `unreadableInput` when that fails.
    public func readWithOptimizer(from url: URL) throws -> Transformer {
        try EstimatorArchive.read(from: url) { try decodeWithOptimizer(from: &$0) }
    }
}
