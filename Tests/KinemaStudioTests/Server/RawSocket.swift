import Foundation

/// A client's side of RFC 6455, with every bit in the test's hand.
final class RawSocket {
    /// A frame as it came from the server.
    struct Frame: Equatable {
        var opcode: UInt8
        var data: [UInt8]

        var text: String { String(decoding: data, as: UTF8.self) }
        /// The status of a close.
        var status: UInt16? { opcode == 8 && data.count >= 2 ? UInt16(data[0]) << 8 | UInt16(data[1]) : nil }
    }

    let client: RawClient
    let handshake: RawAnswer
    /// What came and is no whole frame yet.
    private var pending: [UInt8]

    private init(_ client: RawClient, _ handshake: RawAnswer) {
        self.client = client
        self.handshake = handshake
        pending = handshake.body
    }

    /// The handshake's example in RFC 6455, whose answer it gives too.
    static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    static let keyAnswer = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    static let handshakeFields = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": key,
        "Sec-WebSocket-Protocol": "kinema.1",
    ]

    /// Connects and shakes hands; fields replace those of a right handshake, and empty ones take them out.
    static func open(_ studio: StudioUnderTest, _ fields: [String: String] = [:]) async throws -> RawSocket {
        let client = try await studio.client()
        let all = handshakeFields.merging(fields) { $1 }.filter { !$0.value.isEmpty }
        try await client.send(studio.request("GET", "/live", all))
        return RawSocket(client, try await client.answer() ?? RawAnswer())
    }

    /// The bytes of a frame.
    static func bytes(
        _ first: UInt8, _ data: [UInt8], masked: Bool = true, length: UInt64? = nil
    ) -> [UInt8] {
        let count = length ?? UInt64(data.count)
        let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]
        var bytes = [first]
        let bit: UInt8 = masked ? 0x80 : 0
        switch count {
        case ...125: bytes.append(bit | UInt8(count))
        case ...65_535: bytes += [bit | 126, UInt8(count >> 8), UInt8(count & 255)]
        default: bytes += [bit | 127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
        }
        if masked { bytes += mask }
        return bytes + data.enumerated().map { masked ? $0.element ^ mask[$0.offset % 4] : $0.element }
    }

    func send(_ first: UInt8, _ data: [UInt8], masked: Bool = true, length: UInt64? = nil) async throws {
        try await client.send(Self.bytes(first, data, masked: masked, length: length))
    }

    func send(_ text: String) async throws { try await send(0x81, Array(text.utf8)) }

    /// The frames that come next, at most so many; fewer when the server closes the connection.
    func frames(_ most: Int = .max) async throws -> [Frame] {
        var frames: [Frame] = []
        while frames.count < most {
            while frames.count < most, let (frame, length) = Self.frame(pending) {
                frames.append(frame)
                pending.removeFirst(length)
            }
            guard frames.count < most, let more = try await client.receive() else { break }
            pending += more
        }
        return frames
    }

    private static func frame(_ bytes: [UInt8]) -> (Frame, Int)? {
        guard bytes.count >= 2 else { return nil }
        var start = 2
        var count = Int(bytes[1] & 0x7F)
        if count >= 126 {
            let width = count == 126 ? 2 : 8
            guard bytes.count >= 2 + width else { return nil }
            count = bytes[2..<2 + width].reduce(0) { $0 << 8 | Int($1) }
            start += width
        }
        guard bytes.count >= start + count else { return nil }
        return (Frame(opcode: bytes[0] & 0x0F, data: Array(bytes[start..<start + count])), start + count)
    }
}
