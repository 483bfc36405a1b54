public import Foundation
public import KinemaCore

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
