/// Returns the stored values in the same order.
public protocol EstimatorDecoder {
    /// The next value; throws if there is none or its type differs.
    mutating func decode<T>(_ type: T.Type) throws -> T where T: Decodable

    /// The next value for updating; throws if there is none or its type differs.
    mutating func decodeOptimizer<T>(_ type: T.Type) throws -> T where T: Decodable
}
