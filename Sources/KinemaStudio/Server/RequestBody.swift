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
        case .success(.body(let bytes))?: return bytes
        case .success(.end)?:
            isWhole = true
            return nil
        case .failure(let error)?: throw error
        case .success(.head)?, nil: throw ChannelError.ioOnClosedChannel
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

    /// The length in bytes that is announced for a kind of body; throws if it is missing or above the limit.
    func announced(_ what: String, atMost limit: Int) throws -> Int {
        guard let length else {
            throw HTTPError(.lengthRequired, "no-length", "\(what) needs a Content-Length.", closes: true)
        }
        guard length <= limit else { throw HTTPError.largeBody }
        return length
    }

    /// Writes a body of this length to a file; throws if it is too slow or not complete. `check` takes each piece before.
    mutating func write(
        to file: FileHandle, _ length: Int, _ limits: StudioLimits, check: (ByteBuffer) throws -> Void = { _ in }
    ) async throws {
        var (count, pace) = (0, UploadRateCheck(limits, from: .now))
        while let chunk = try await next() {
            count += chunk.readableBytes
            guard count <= length else { throw HTTPError.largeBody }
            guard pace.take(chunk.readableBytes, at: .now) else { throw HTTPError.slowUpload }
            try check(chunk)
            do { try file.write(contentsOf: Data(chunk.readableBytesView)) } catch { throw HTTPError.diskFull }
        }
        guard count == length else { throw ChannelError.inputClosed }
    }

    /// Decodes a body of JSON; the error shows a valid example.
    mutating func json<Value: Decodable>(
        _ type: Value.Type, atMost limit: Int, expected: String
    ) async throws -> Value {
        let data = try await collect(atMost: limit)
        guard let value = try? JSONDecoder().decode(type, from: data) else {
            throw HTTPError.invalid("The body must be JSON such as \(expected).")
        }
        return value
    }
}
