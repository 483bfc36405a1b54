import Foundation

/// A fitted transformer as a JSON file: the encoded values in order, and those for the optimizer beside them.
struct EstimatorArchive: Codable, EstimatorEncoder, EstimatorDecoder {
    private var values: [Data] = []
    private var optimizers: [Data] = []

    init() {}

    mutating func encode<T>(_ value: T) throws where T: Encodable {
        values.append(try JSONEncoder().encode(value))
    }

    mutating func encodeOptimizer<T>(_ optimizer: T) throws where T: Encodable {
        optimizers.append(try JSONEncoder().encode(optimizer))
    }

    mutating func decode<T>(_ type: T.Type) throws -> T where T: Decodable {
        try Self.next(type, of: &values)
    }

    mutating func decodeOptimizer<T>(_ type: T.Type) throws -> T where T: Decodable {
        try Self.next(type, of: &optimizers)
    }

    private static func next<T>(_ type: T.Type, of stored: inout [Data]) throws -> T where T: Decodable {
        guard !stored.isEmpty else {
            throw KinemaError(.unreadableInput, "the file ends before a \(type); was it written by this estimator?")
        }
        return try JSONDecoder().decode(type, from: stored.removeFirst())
    }
}

extension EstimatorArchive {
    /// Writes what `body` encodes into a file.
    static func write(
        to url: URL, overwrite: Bool, _ body: (inout any EstimatorEncoder) throws -> Void
    ) throws {
        var encoder: any EstimatorEncoder = EstimatorArchive()
        try body(&encoder)
        guard let archive = encoder as? EstimatorArchive else {
            throw KinemaError(.unwritableOutput, "the estimator put another encoder in place of the one given to it")
        }
        do {
            let data = try JSONEncoder().encode(archive)
            try data.write(to: url, options: overwrite ? .atomic : .withoutOverwriting)
        } catch {
            let remedy = overwrite ? "check that its folder exists" : "it may exist already; pass overwrite: true"
            throw KinemaError(.unwritableOutput, "the transformer cannot be written; \(remedy)", file: url.path)
        }
    }

    /// Reads a file and lets `body` decode it.
    static func read<T>(from url: URL, _ body: (inout any EstimatorDecoder) throws -> T) throws -> T {
        do {
            let archive = try JSONDecoder().decode(EstimatorArchive.self, from: try Data(contentsOf: url))
            var decoder: any EstimatorDecoder = archive
            return try body(&decoder)
        } catch {
            let reason = (error as? KinemaError)?.message ?? "this is no transformer that the estimator wrote"
            throw KinemaError(.unreadableInput, reason, file: url.path)
        }
    }
}

/// Takes the values a fitted transformer consists of, in order.
public protocol EstimatorEncoder {
    /// Takes the next value; throws what encoding it throws.
    mutating func encode<T>(_ value: T) throws where T: Encodable

    /// Takes the next value that only further updating needs; throws what encoding it throws.
    mutating func encodeOptimizer<T>(_ optimizer: T) throws where T: Encodable
}

/// Gives back the values an encoder took, in the same order.
public protocol EstimatorDecoder {
    /// The next value; throws when there is none or it is of another type.
    mutating func decode<T>(_ type: T.Type) throws -> T where T: Decodable

    /// The next value for further updating; throws when there is none or it is of another type.
    mutating func decodeOptimizer<T>(_ type: T.Type) throws -> T where T: Decodable
}
