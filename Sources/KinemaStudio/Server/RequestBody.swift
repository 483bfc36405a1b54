import Foundation
import NIOCore
import NIOHTTP1

/// A request's body, read on demand.
struct RequestBody {
    /// The announced length in bytes; nil for chunks.
    let length: Int?
    private let connection: HTTPConnection
    private let expectsGoAhead: Bool
    private(set) var isWhole = false
    private var hasBegun = false

    init(_ request: StudioRequest, _ connection: HTTPConnection) {
        self.connection = connection
        length = request.bodyLength
        expectsGoAhead = request.headers.first(name: "expect")?.lowercased() == "100-continue"
    }

    /// The next bytes; nil at the end. Throws if they are too slow or the client has disconnected.
    mutating func next() async throws -> ByteBuffer? {
        guard !isWhole else { return nil }
        if expectsGoAhead && !hasBegun {
            try await connection.send(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
        }
        hasBegun = true
        switch try await connection.next() {
        case .body(let bytes): return bytes
        case .end:
            isWhole = true
            return nil
        case .failed(let error): throw error
        case .head, nil: throw ChannelError.ioOnClosedChannel
        }
    }

    /// Discards the rest, so that the next request can follow; false if it is too long.
    mutating func skip(atMost limit: Int) async throws -> Bool {
        guard !isWhole else { return true }
        if (expectsGoAhead && !hasBegun) && length != 0 { return false }
        if let length, length > limit { return false }
        var skipped = 0
        while let bytes = try await next() {
            skipped += bytes.readableBytes
            if skipped > limit { return false }
        }
        return true
    }

    /// The whole body; throws if it is too large or too slow.
    mutating func collect(atMost limit: Int) async throws -> Data {
        if let length, length > limit { throw HTTPError.largeBody }
        var data = Data()
        while let bytes = try await next() {
            guard data.count + bytes.readableBytes <= limit else { throw HTTPError.largeBody }
            data.append(contentsOf: bytes.readableBytesView)
        }
        return data
    }

    /// Decodes a body of JSON; the error shows a valid example.
    mutating func json<Value: Decodable>(
        _ type: Value.Type, atMost limit: Int, expected: String
    ) async throws -> Value {
        let data = try await collect(atMost: limit)
        guard let value = try? JSONDecoder().decode(type, from: data) else {
            throw HTTPError(.badRequest, "bad-request", "The body must be JSON such as \(expected).")
        }
        return value
    }
}
