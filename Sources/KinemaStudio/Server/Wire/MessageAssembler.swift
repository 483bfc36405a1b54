import Foundation
import NIOCore
import NIOWebSocket

/// Puts a client's frames together into messages, and refuses what RFC 6455 or the limits forbid.
struct MessageAssembler {
    /// What a frame amounts to.
    enum Outcome: Equatable {
        /// The message goes on in the next frame, or a ping was answered.
        case nothing
        case message(SocketMessage)
        case ping(ByteBuffer)
        /// The client ends the connection, with this status or none.
        case close(UInt16?)
        case refused(SocketFarewell)
    }

    private let limits: StudioLimits
    private var kind: WebSocketOpcode?
    private var bytes = ByteBuffer()
    private var fragments = 0

    init(limits: StudioLimits) { self.limits = limits }

    /// Takes the next frame.
    mutating func take(_ frame: WebSocketFrame) -> Outcome {
        guard frame.maskKey != nil else { return .refused(.unmasked) }
        // No extension was agreed on.
        guard frame.reservedBits.isEmpty else { return .refused(.malformed) }
        switch frame.opcode {
        case .ping: return .ping(frame.unmaskedData)
        case .pong: return .nothing
        case .connectionClose: return Self.close(frame.unmaskedData)
        case .text, .binary:
            guard kind == nil else { return .refused(.malformed) }
            kind = frame.opcode
            return add(frame)
        case .continuation:
            guard kind != nil else { return .refused(.malformed) }
            return add(frame)
        default: return .refused(.malformed)
        }
    }

    private mutating func add(_ frame: WebSocketFrame) -> Outcome {
        guard let kind else { return .refused(.malformed) }
        let limit = kind == .text ? limits.textBytes : limits.live.frameBytes
        fragments += 1
        guard bytes.readableBytes + frame.data.readableBytes <= limit, fragments <= limits.fragments else {
            return .refused(.tooLarge)
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
        guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else { return .refused(.notText) }
        return .message(.text(text))
    }

    private static func close(_ data: ByteBuffer) -> Outcome {
        var data = data
        guard data.readableBytes > 0 else { return .close(nil) }
        guard let status = data.readInteger(as: UInt16.self) else { return .refused(.malformed) }
        switch status {
        case 1000...1003, 1007...1014, 3000...4999:
            let isText = String(validating: data.readableBytesView, as: UTF8.self) != nil
            return isText ? .close(status) : .refused(.reasonNotText)
        default: return .refused(.malformed)
        }
    }
}
