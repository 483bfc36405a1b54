public import Foundation

/// Makes a transformer by fitting it to examples.
public protocol Estimator<Transformer> {
    /// What fitting makes.
    associatedtype Transformer: KinemaCore.Transformer

    /// Fits a transformer to a sequence of examples, reporting progress to the handler if there is one.
    func fitted<InputSequence>(to input: InputSequence, eventHandler: EventHandler?) async throws -> Transformer
    where InputSequence: Sequence, InputSequence.Element == Transformer.Input

    /// Hands a fitted transformer's values to an encoder; by default the transformer itself if it is `Codable`.
    func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws

    /// Makes a fitted transformer of a decoder's values; by default the transformer itself if it is `Codable`.
    func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer
}

extension Estimator {
    /// Fits a transformer to a sequence of examples.
    public func fitted<InputSequence>(to input: InputSequence) async throws -> Transformer
    where InputSequence: Sequence, InputSequence.Element == Transformer.Input {
        try await fitted(to: input, eventHandler: nil)
    }

    /// Always throws `unsupported`: the transformer is not `Encodable`.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        throw KinemaError.notCodable(Transformer.self)
    }

    /// Always throws `unsupported`: the transformer is not `Decodable`.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        throw KinemaError.notCodable(Transformer.self)
    }

    /// Writes a fitted transformer into a file; throws `unwritableOutput` when that fails.
    public func write(_ transformer: Transformer, to url: URL, overwrite: Bool = true) throws {
        try EstimatorArchive.write(to: url, overwrite: overwrite) { try encode(transformer, to: &$0) }
    }

    /// Reads a transformer that `write` wrote; throws `unreadableInput` when that fails.
    public func read(from url: URL) throws -> Transformer {
        try EstimatorArchive.read(from: url) { try decode(from: &$0) }
    }
}

extension Estimator where Transformer: Encodable {
    /// Hands the transformer to an encoder.
    public func encode(_ transformer: Transformer, to encoder: inout any EstimatorEncoder) throws {
        try encoder.encode(transformer)
    }
}

extension Estimator where Transformer: Decodable {
    /// Takes the transformer from a decoder.
    public func decode(from decoder: inout any EstimatorDecoder) throws -> Transformer {
        try decoder.decode(Transformer.self)
    }
}

extension KinemaError {
    static func notCodable(_ type: any Any.Type) -> KinemaError {
        KinemaError(.unsupported, "\(type) cannot be stored; make it Codable or implement encode and decode")
    }
}
