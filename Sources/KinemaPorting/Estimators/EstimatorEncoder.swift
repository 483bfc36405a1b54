/// Stores the values of a fitted transformer in order.
public protocol EstimatorEncoder {
    /// Stores the next value; throws if it cannot be encoded.
    mutating func encode<T>(_ value: T) throws where T: Encodable

    /// Stores the next value that only updating needs; throws if it cannot be encoded.
    mutating func encodeOptimizer<T>(_ optimizer: T) throws where T: Encodable
}
