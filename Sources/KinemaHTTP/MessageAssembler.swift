import Foundation
import NIOCore
import NIOWebSocket

/// Refuses lengths that are not in their shortest form (RFC 6455, 5.2), which the frame decoder accepts.
final class FrameLengthCheck: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    struct Violation: Error {}

    private var meter = FrameLengthParser()

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !meter.isBroken else { return }
        if meter.take(unwrapInboundIn(data).readableBytesView) {
            context.fireChannelRead(data)
        } else {
            context.fireErrorCaught(Violation())
        }
    }
}

/// Reads the heads of the frames in a stream of bytes.
struct FrameLengthParser {
    private(set) var isBroken = false
    private var head: [UInt8] = []
    private var left = 0

    /// Takes the next bytes; false from the first length that is not in its shortest form.
    mutating func take(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        var rest = bytes[...]
        while !isBroken, !rest.isEmpty {
            let skipped = Swift.min(left, rest.count)
            rest = rest.dropFirst(skipped)
            left -= skipped
            if left == 0, let byte = rest.popFirst() { takeHead(byte) }
        }
        return !isBroken
    }

    private mutating func takeHead(_ byte: UInt8) {
        head.append(byte)
        guard head.count >= 2 else { return }
        let form = head[1] & 0x7F
        let width = form == 126 ? 2 : form == 127 ? 8 : 0
        guard head.count == 2 + width else { return }
        let length = head[2...].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        isBroken = width == 2 && length < 126 || width == 8 && length < 65_536
        let mask = head[1] & 0x80 == 0 ? 0 : 4
        // The decoder refuses lengths that are too large.
        left = mask + (width == 0 ? Int(form) : Int(clamping: Swift.min(length, UInt64(Int.max - mask))))
        head = []
    }
}

/// Assembles a client's frames into messages, and finds violations of RFC 6455 and the limits.
struct MessageAssembler {
    enum Outcome: Equatable {
        /// The message continues in the next frame, or the frame is a pong.
        case nothing
        case message(SocketMessage)
        case ping(ByteBuffer)
        /// The client closes the connection, with an optional status.
        case close(UInt16?)
        case violation(WebSocketClose)
    }

    private let limits: StudioLimits
    private var kind: WebSocketOpcode?
    private var bytes = ByteBuffer()
    private var fragments = 0

    init(limits: StudioLimits) { self.limits = limits }

    mutating func take(_ frame: WebSocketFrame) -> Outcome {
        guard frame.maskKey != nil else { return .violation(.unmasked) }
        // No extension was agreed on.
        guard frame.reservedBits.isEmpty else { return .violation(.malformed) }
        switch frame.opcode {
        case .ping: return .ping(frame.unmaskedData)
        case .pong: return .nothing
        case .connectionClose: return Self.close(frame.unmaskedData)
        case .text, .binary:
            guard kind == nil else { return .violation(.malformed) }
            kind = frame.opcode
            return add(frame)
        case .continuation:
            guard kind != nil else { return .violation(.malformed) }
            return add(frame)
        default: return .violation(.malformed)
        }
    }

    private mutating func add(_ frame: WebSocketFrame) -> Outcome {
        guard let kind else { return .violation(.malformed) }
        let limit = kind == .text ? limits.textBytes : limits.live.frameBytes
        fragments += 1
        guard bytes.readableBytes + frame.data.readableBytes <= limit, fragments <= limits.fragments else {
            return .violation(.tooLarge)
        }
        var part = frame.unmaskedData
        if bytes.readableBytes == 0 { bytes = part } else { bytes.writeBuffer(&part) }
        guard frame.fin else { return .nothing }
        defer {
            self.kind = nil
            bytes = ByteBuffer()
            fragments = 0
        }
        if kind == .binary { return .message(.binary(Data(bytes.readableBytesView))) }
        guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else { return .violation(.notText) }
        return .message(.text(text))
    }

    private static func close(_ data: ByteBuffer) -> Outcome {
        var data = data
        guard data.readableBytes > 0 else { return .close(nil) }
        guard let status = data.readInteger(as: UInt16.self) else { return .violation(.malformed) }
        switch status {
        case 1000...1003, 1007...1014, 3000...4999:
            let isText = String(validating: data.readableBytesView, as: UTF8.self) != nil
            return isText ? .close(status) : .violation(.reasonNotText)
        default: return .violation(.malformed)
        }
    }
}
