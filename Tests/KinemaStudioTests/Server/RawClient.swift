import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Testing
@testable import KinemaHTTP
@testable import KinemaStudio

/// A client that sends bytes as they are and reads only when asked to, so that anything can be tried on a server.
struct RawClient: Sendable {
    private let channel: any Channel
    private let stage: NIOLoopBound<Stage>

    private final class Stage: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        let received = PullQueue<ByteBuffer>()
        private var context: ChannelHandlerContext?

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }
        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }
        func channelRead(context: ChannelHandlerContext, data: NIOAny) { received.put(unwrapInboundIn(data)) }
        func channelReadComplete(context: ChannelHandlerContext) { if received.isAwaited { context.read() } }
        func channelInactive(context: ChannelHandlerContext) { received.finish() }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func next(on loop: any EventLoop) -> EventLoopFuture<ByteBuffer?> {
            let next = received.take(on: loop)
            if received.isAwaited { context?.read() }
            return next
        }
    }

    /// Connects; with TLS, to a server whose certificate is not checked.
    init(_ port: Int, tls: NIOSSLContext? = nil) async throws {
        (channel, stage) = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // A handshake reads by itself.
            .channelOption(.autoRead, value: tls != nil)
            .channelOption(.socketOption(.so_rcvbuf), value: 8_192)
            .channelOption(.socketOption(.so_sndbuf), value: 65_536)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let stage = Stage()
                    if let tls {
                        try channel.pipeline.syncOperations.addHandler(
                            NIOSSLClientHandler(context: tls, serverHostname: nil))
                    }
                    try channel.pipeline.syncOperations.addHandler(stage)
                    return (channel, NIOLoopBound(stage, eventLoop: channel.eventLoop))
                }
            }
    }

    /// Sends bytes; throws when the server has closed.
    func send(_ bytes: some Sequence<UInt8> & Sendable) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Queues bytes without waiting until the server takes them.
    func offer(_ bytes: [UInt8]) {
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    /// Whether the server took so much of what was offered that more can be queued.
    var isFree: Bool { channel.isWritable }

    /// The next bytes that came; nil when the server has closed.
    func receive() async throws -> [UInt8]? {
        // A test that is given up must not wait on.
        try await withTaskCancellationHandler {
            try await channel.eventLoop.flatSubmit { [stage, channel] in
                stage.value.next(on: channel.eventLoop)
            }.get().map { Array($0.readableBytesView) }
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    /// Everything until the server closes.
    func receiveAll() async throws -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = try await receive() { all += bytes }
        return all
    }

    /// Goes away without a word.
    func close() async {
        try? await channel.close()
    }

    /// Says that nothing more comes; what the server sends can still be read.
    func finishSending() async {
        try? await channel.close(mode: .output)
    }
}

/// An answer over HTTP, taken apart.
struct RawAnswer {
    var status = 0
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []

    /// A field's value; nil when it is absent or comes more than once.
    subscript(_ name: String) -> String? {
        let found = fields.filter { $0.name == name.lowercased() }
        return found.count == 1 ? found[0].value : nil
    }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The code of the error in the body.
    var code: String? {
        struct Body: Decodable {
            struct Fault: Decodable { var code: String }
            var error: Fault
        }
        return try? JSONDecoder().decode(Body.self, from: Data(body)).error.code
    }
}

extension RawClient {
    /// Reads one answer; nil when the server closed without one. `hasBody` is false for what answers HEAD.
    func answer(hasBody: Bool = true) async throws -> RawAnswer? {
        var bytes: [UInt8] = []
        let gap = Array("\r\n\r\n".utf8)
        while bytes.firstRange(of: gap) == nil {
            guard let more = try await receive() else { return nil }
            bytes += more
        }
        guard let end = bytes.firstRange(of: gap) else { return nil }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var answer = RawAnswer()
        answer.status = Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0
        answer.fields = lines.dropFirst().compactMap { line in
            line.firstIndex(of: ":").map {
                (line[..<$0].lowercased(), line[line.index(after: $0)...].trimmingCharacters(in: .whitespaces))
            }
        }
        answer.body = Array(bytes[end.upperBound...])
        let length = hasBody ? Int(answer["content-length"] ?? "0") ?? 0 : 0
        while answer.body.count < length {
            guard let more = try await receive() else { return nil }
            answer.body += more
        }
        return answer
    }
}

/// Expects an answer with this status.
func expect(_ status: Int, _ answer: RawAnswer?, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(answer?.status == status, sourceLocation: sourceLocation)
}

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
    /// Whether the connection ends with the server's close; a client that stays is for the server to end.
    var answersCloses = true
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
        "Sec-WebSocket-Protocol": "kinema.2",
    ]

    /// Connects and shakes hands; fields replace those of a right handshake, and empty ones take them out.
    static func open(
        _ studio: StudioUnderTest, _ fields: [String: String] = [:], on client: RawClient? = nil,
        path: String = "/live"
    ) async throws -> RawSocket {
        let client = if let client { client } else { try await studio.client() }
        let all = handshakeFields.merging(fields) { $1 }.filter { !$0.value.isEmpty }
        try await client.send(studio.request("GET", path, all))
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
    ///
    /// A close is answered by the end of what is sent: a server whose reader has failed would wait in vain for a frame.
    func frames(_ most: Int = .max) async throws -> [Frame] {
        var frames: [Frame] = []
        while frames.count < most {
            while frames.count < most, let (frame, length) = Self.frame(pending) {
                frames.append(frame)
                pending.removeFirst(length)
                if frame.opcode == 8, answersCloses { await client.finishSending() }
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
