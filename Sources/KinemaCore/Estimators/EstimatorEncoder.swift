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
