package import Foundation
package import NIOCore
import NIOHTTP1

/// A request's body, read on demand.
package struct RequestBody {
    /// The announced length in bytes; nil for chunks.
    let length: Int?
    private let connection: HTTPConnection
    private let expectsGoAhead: Bool
    package var client: ClientAddress { connection.client }
    private(set) var isWhole = false
    private var hasBegun = false
    private var pace: UploadRateCheck?
    private var slots: ConcurrencyLimiter?
    private var permit: ConcurrencyLimiter.Permit?

    package init(_ request: StudioRequest, _ connection: HTTPConnection) {
        self.connection = connection
        length = request.bodyLength
        expectsGoAhead = request.headers.first(name: "expect")?.lowercased() == "100-continue"
    }

    /// Takes a slot for the request, whose connection then is not closed for another; throws `busy`.
    package mutating func takeSlot(of slots: ConcurrencyLimiter) throws(HTTPError) {
        connection.markBusy()
        self.slots = slots
        permit = slots.permit(for: client)
        if permit == nil { throw .busy }
    }

    package mutating func leaveSlot() { permit = nil }

    /// The next bytes; nil at the end. Throws if they are too slow or the client has disconnected.
    mutating func next() async throws -> ByteBuffer? {
        guard !isWhole else { return nil }
        if expectsGoAhead && !hasBegun {
            try await connection.send(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
        }
        hasBegun = true
        if pace == nil { pace = UploadRateCheck(connection.limits, from: .now) }
        switch try await connection.next() {
        case .success(.body(let bytes))?:
            guard pace?.take(bytes.readableBytes, at: .now) != false else { throw HTTPError.slowBody }
            return bytes
        case .success(.end)?:
            isWhole = true
            return nil
        case .failure(let error)?: throw error
        case .success(.head)?, nil: throw ChannelError.ioOnClosedChannel
        }
    }

    /// Discards the rest, so that the next request can follow; false if it is too long.
    package mutating func skip(atMost limit: Int) async throws -> Bool {
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

    /// The whole body; throws if it is too large or too slow. Meanwhile the request has no slot, and its connection makes
    /// room for others.
    package mutating func collect(atMost limit: Int) async throws -> Data {
        if let length, length > limit { throw HTTPError.largeBody }
        leaveSlot()
        connection.slot.markIdle()
        var data = Data()
        while let bytes = try await next() {
            guard data.count + bytes.readableBytes <= limit else { throw HTTPError.largeBody }
            data.append(contentsOf: bytes.readableBytesView)
        }
        if let slots { try takeSlot(of: slots) }
        return data
    }

    /// The length in bytes that is announced for a kind of body; throws if it is missing or above the limit.
    package func announced(_ what: String, atMost limit: Int) throws -> Int {
        guard let length else {
            throw HTTPError(.lengthRequired, "no-length", "\(what) needs a Content-Length.", closes: true)
        }
        guard length <= limit else { throw HTTPError.tooLarge(what, limit) }
        return length
    }

    /// Writes a body of this length to a file; throws if it is too slow or not complete. `check` takes each piece before.
    package mutating func write(
        to file: FileHandle, _ length: Int, check: (ByteBuffer) throws -> Void = { _ in }
    ) async throws {
        var count = 0
        while let chunk = try await next() {
            count += chunk.readableBytes
            guard count <= length else { throw HTTPError.largeBody }
            try check(chunk)
            do { try file.write(contentsOf: Data(chunk.readableBytesView)) } catch { throw HTTPError.diskFull }
        }
        guard count == length else { throw ChannelError.inputClosed }
    }

    /// Decodes a body of JSON; the error shows a valid example.
    package mutating func json<Value: Decodable>(
        _ type: Value.Type, atMost limit: Int, expected: String
    ) async throws -> Value {
        let data = try await collect(atMost: limit)
        guard let value = try? JSONDecoder().decode(type, from: data) else {
            throw HTTPError.invalid("The body must be JSON such as \(expected).")
        }
        return value
    }
}

/// Checks that a body, or an export that is read, keeps a least rate over each window of time.
package struct UploadRateCheck {
    private let rate: Int
    private let window: Duration
    private var began: ContinuousClock.Instant
    private var bytes = 0

    package init(_ limits: StudioLimits, from begin: ContinuousClock.Instant) {
        (rate, window, began) = (limits.uploadRate, limits.uploadWindow, begin)
    }

    /// Counts received bytes; false if a window had too few.
    package mutating func take(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        bytes += count
        guard now - began >= window else { return true }
        let isEnough = Double(bytes) >= Double(rate) * ((now - began) / .seconds(1))
        (began, bytes) = (now, 0)
        return isEnough
    }
}
