import Foundation
import NIOCore
import NIOWebSocket

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
