import Foundation
import NIOCore
import NIOHTTP1

extension RequestBody {
    /// The whole body, of at most so many bytes; throws the error to answer when it is larger or too slow.
    mutating func collect(atMost limit: Int) async throws -> Data {
        if let length, length > limit { throw HTTPError.largeBody }
        var data = Data()
        while let bytes = try await next() {
            guard data.count + bytes.readableBytes <= limit else { throw HTTPError.largeBody }
            data.append(contentsOf: bytes.readableBytesView)
        }
        return data
    }

    /// A body of JSON; throws the error to answer when it is none, with what it has to be.
    mutating func json<Value: Decodable>(
        _ type: Value.Type, atMost limit: Int, expected: String
    ) async throws -> Value {
        let data = try await collect(atMost: limit)
        guard let value = try? JSONDecoder().decode(type, from: data) else {
            throw HTTPError(.badRequest, "bad-request", "The body has to be JSON such as \(expected).")
        }
        return value
    }
}
