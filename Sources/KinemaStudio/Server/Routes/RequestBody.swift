import NIOCore
import NIOHTTP1

/// A request's body as it comes in; nothing is read before it is asked for.
struct RequestBody {
    /// Bytes that are announced; nil when they come in chunks.
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

    /// The next bytes; nil at the end. Throws a refusal when they come too slowly, or when the client has gone.
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
        case .refused(let refusal): throw refusal
        case .head, nil: throw ChannelError.ioOnClosedChannel
        }
    }

    /// Reads over what nobody asked for, so that the next request can follow; false when that is not worth it.
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
}
