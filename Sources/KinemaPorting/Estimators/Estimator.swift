import Foundation
public import KinemaCore

/// Fits a transformer to examples.
public protocol Estimator<Transformer>: FittedTransformerStorage {
    /// Fits a transformer to examples and reports progress to the handler, if there is one.
    func fitted<InputSequence>(to input: InputSequence, eventHandler: EventHandler?) async throws -> Transformer
    where InputSequence: Sequence, InputSequence.Element == Transformer.Input
}

extension Estimator {
    /// Fits a transformer to examples.
    public func fitted<InputSequence>(to input: InputSequence) async throws -> Transformer
    where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        try await fitted(to: input, eventHandler: nil)
    }

    /// This estimator, fitted to the features, followed by a supervised one.
    public func appending<Other>(_ other: Other) -> ComposedSupervisedEstimator<Self, Other>
    where Other: SupervisedEstimator, Transformer.Output == Other.Transformer.Input {
        ComposedSupervisedEstimator(self, other)
    }
}

extension KinemaCore.Transformer {
    /// An estimator whose examples first pass through this transformer.
    public func appending<Other>(_ other: Other) -> PreprocessingEstimator<Self, Other>
    where Other: Estimator, Output == Other.Transformer.Input {
        PreprocessingEstimator(self, other)
    }

    /// A supervised estimator whose features first pass through this transformer.
    public func appending<Other>(_ other: Other) -> PreprocessingSupervisedEstimator<Self, Other>
    where Other: SupervisedEstimator, Output == Other.Transformer.Input {
        PreprocessingSupervisedEstimator(self, other)
    }
}

/// A fitted transformer as a JSON file: its encoded values in order, and the optimizer's values separately.
struct EstimatorArchive: Codable, EstimatorEncoder, EstimatorDecoder {
    private var values: [Data] = []
    private var optimizers: [Data] = []

    mutating func encode<T>(_ value: T) throws where T: Encodable {
        values.append(try JSONEncoder.ordered.encode(value))
    }

    mutating func encodeOptimizer<T>(_ optimizer: T) throws where T: Encodable {
        optimizers.append(try JSONEncoder.ordered.encode(optimizer))
    }

    mutating func decode<T>(_ type: T.Type) throws -> T where T: Decodable {
        try Self.next(type, of: &values)
    }

    mutating func decodeOptimizer<T>(_ type: T.Type) throws -> T where T: Decodable {
        try Self.next(type, of: &optimizers)
    }

    private static func next<T>(_ type: T.Type, of stored: inout [Data]) throws -> T where T: Decodable {
        guard !stored.isEmpty else {
            throw KinemaError(.unreadableInput, "the file ends before a \(type); check that this estimator wrote it")
        }
        return try JSONDecoder().decode(type, from: stored.removeFirst())
    }
}

extension EstimatorArchive {
    /// Writes the values that `body` encodes to a file.
    static func write(
        to url: URL, overwrite: Bool, _ body: (inout any EstimatorEncoder) throws -> Void
    ) throws {
        var encoder: any EstimatorEncoder = EstimatorArchive()
        try body(&encoder)
        guard let archive = encoder as? EstimatorArchive else {
            throw KinemaError(.unwritableOutput, "the estimator replaced the encoder it was given")
        }
        do {
            let data = try JSONEncoder.ordered.encode(archive)
            // `withoutOverwriting` creates the file exclusively, so two writers cannot both succeed.
            try data.write(to: url, options: overwrite ? .atomic : .withoutOverwriting)
        } catch {
            let remedy = overwrite ? "check that its folder exists" : "it may exist already; pass overwrite: true"
            throw KinemaError(.unwritableOutput, "the transformer cannot be written; \(remedy)", file: url.path)
        }
    }

    /// The largest file in bytes: some ten million weights.
    private static let maximumSize = 1 << 30

    static func read<T>(from url: URL, _ body: (inout any EstimatorDecoder) throws -> T) throws -> T {
        do {
            let data = Data(try BoundedFile.read(url, limit: maximumSize))
            let archive = try JSONDecoder().decode(EstimatorArchive.self, from: data)
            var decoder: any EstimatorDecoder = archive
            return try body(&decoder)
        } catch {
            let reason = (error as? KinemaError)?.message ?? "the file is not a transformer written by this estimator"
            throw KinemaError(.unreadableInput, reason, file: url.path)
        }
    }
}

/// Stores the values of a fitted transformer in order.
public protocol EstimatorEncoder {
    /// Stores the next value; throws if it cannot be encoded.
    mutating func encode<T>(_ value: T) throws where T: Encodable

    /// Stores the next value that only updating needs; throws if it cannot be encoded.
    mutating func encodeOptimizer<T>(_ optimizer: T) throws where T: Encodable
}

/// Returns the stored values in the same order.
public protocol EstimatorDecoder {
    /// The next value; throws if there is none or its type differs.
    mutating func decode<T>(_ type: T.Type) throws -> T where T: Decodable

    /// The next value for updating; throws if there is none or its type differs.
    mutating func decodeOptimizer<T>(_ type: T.Type) throws -> T where T: Decodable
}
