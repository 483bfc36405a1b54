import Foundation
import KinemaCore
import NIOCore
import NIOWebSocket

/// A connection after it became a WebSocket: messages in and out, pings, limits, and a clean close.
final class WebSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private enum Timer { case ping, idle, close }

    private let limits: StudioLimits
    private let loop: any EventLoop
    private let timeouts: Timeouts<Timer>
    private var assembler: MessageAssembler
    private var rate: TokenBucket
    /// Our close went out, or the client's came: only the client's close is read now.
    private var isClosing = false
    private var context: ChannelHandlerContext?
    private let messages = PullQueue<SocketMessage>()

    init(limits: StudioLimits, loop: any EventLoop) {
        self.limits = limits
        self.loop = loop
        timeouts = Timeouts(loop)
        assembler = MessageAssembler(limits: limits)
        rate = TokenBucket(perSecond: limits.messagesPerSecond, burst: limits.messageBurst)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        waitForFrame()
        schedulePing()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeouts.disarmAll()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosing = true
        timeouts.disarmAll()
        messages.finish()
        context.fireChannelInactive()
    }

    // MARK: Reading

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if isClosing {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        waitForFrame()
        // Answers to our pings are free. Browsers send a large message in fragments, whose number the assembler limits.
        let isCounted = frame.opcode != .pong && frame.opcode != .continuation
        if isCounted, !rate.admits(at: .now) { return close(.tooFast) }
        switch assembler.take(frame) {
        case .nothing: break
        case .message(let message): messages.put(message)
        case .ping(let data):
            // RFC 6455 allows one answer to several pings, so none waits for a client that does not read.
            if context.channel.isWritable { send(.pong, data) }
        case .close(let status):
            close(WebSocketClose(status ?? 1000, nil, ""))
            context.close(promise: nil)
        case .violation(let reason): close(reason)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isClosing || messages.isAwaited { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isClosing else { return }
        switch error {
        case NIOWebSocketError.invalidFrameLength: close(.tooLarge)
        case is NIOWebSocketError, is FrameLengthCheck.Violation: close(.malformed)
        default: context.close(promise: nil)
        }
    }

    /// Waits for the next frame, though only while the task is reading.
    private func waitForFrame() {
        timeouts.arm(.idle, after: limits.idleTimeout) { [weak self] in
            guard let self else { return }
            if messages.isAwaited { close(.idle) } else { waitForFrame() }
        }
    }

    private func schedulePing() {
        timeouts.arm(.ping, after: limits.pingInterval) { [weak self] in
            guard let self, let context else { return }
            if context.channel.isWritable { send(.ping, ByteBuffer()) }
            schedulePing()
        }
    }

    // MARK: The connection's task

    /// The next message; nil when the socket has ended.
    func next() -> EventLoopFuture<SocketMessage?> {
        let message = messages.take(on: loop)
        if messages.isAwaited {
            // The timeout counts from here: before, the task was not reading.
            waitForFrame()
            context?.read()
        }
        return message
    }

    /// Sends a message; nil when the socket has ended.
    func send(_ message: SocketMessage) -> EventLoopFuture<Void>? {
        guard !isClosing else { return nil }
        switch message {
        case .text(let text): return send(.text, ByteBuffer(string: text))
        case .binary(let data): return send(.binary, ByteBuffer(bytes: data))
        }
    }

    /// Closes: sends the error message, if any, and a close, and gives the client some time to answer.
    func close(_ reason: WebSocketClose) {
        guard !isClosing, let context else { return }
        if let text = reason.errorText { send(.text, ByteBuffer(string: text)) }
        var data = ByteBuffer(integer: reason.status)
        data.writeString(PlainText.prefix(reason.message, bytes: 123))
        send(.connectionClose, data)
        isClosing = true
        messages.finish()
        timeouts.disarmAll()
        timeouts.arm(.close, after: limits.closeTimeout) { context.close(promise: nil) }
        context.read()
    }

    @discardableResult
    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> EventLoopFuture<Void>? {
        context?.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)))
    }
}

/// Assembles a client's frames into messages, and finds what RFC 6455 or the limits forbid.
struct MessageAssembler {
    /// What a frame amounts to.
    enum Outcome: Equatable {
        /// The message goes on in the next frame, or the frame was a pong.
        case nothing
        case message(SocketMessage)
        case ping(ByteBuffer)
        /// The client ends the connection, with this status or none.
        case close(UInt16?)
        case violation(WebSocketClose)
    }

    private let limits: StudioLimits
    private var kind: WebSocketOpcode?
    private var bytes = ByteBuffer()
    private var fragments = 0

    init(limits: StudioLimits) { self.limits = limits }

    /// Takes the next frame.
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

/// How a WebSocket closes: the status of RFC 6455, the code of the error message before it, and the reason in words.
struct WebSocketClose: Sendable, Equatable {
    var status: UInt16
    /// The code of the error message; nil when nothing is wrong.
    var code: String?
    /// At most 123 bytes fit into a close.
    var message: String

    init(_ status: UInt16, _ code: String?, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    static let goingAway = WebSocketClose(1001, nil, "The studio is closing.")
    static let malformed = WebSocketClose(1002, "bad-message", "The frame is not valid by RFC 6455.")
    static let unmasked = WebSocketClose(1002, "bad-message", "A client has to mask its frames.")
    static let notText = WebSocketClose(1007, "bad-message", "A text message has to be UTF-8.")
    static let reasonNotText = WebSocketClose(1007, "bad-message", "The reason of a close has to be UTF-8.")
    static let tooFast = WebSocketClose(1008, "too-fast", "There are too many messages a second.")
    static let idle = WebSocketClose(1008, "idle", "Nothing arrived, not even the answer to a ping.")
    static let tooLarge = WebSocketClose(1009, "too-large", "The message is too large.")
    static let tooMany = WebSocketClose(1013, "busy", "All sockets of the studio are in use; try again later.")

    /// The error message, where there is one.
    var errorText: String? {
        code.map { ErrorBody(type: "error", code: $0, message: message, fatal: true).text }
    }
}
