import Foundation
import KinemaCore
import NIOCore
import NIOWebSocket

final class WebSocketHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private enum Timer { case ping, idle, close }

    private let limits: StudioLimits
    private let loop: any EventLoop
    private let timeouts: Timeouts<Timer>
    private var assembler: MessageAssembler
    private var rate: TokenBucket
    /// Our pings that were not answered yet.
    private var awaitedPongs = 0
    /// A close was sent or received: only the client's close is still read.
    private var isClosing = false
    private var context: ChannelHandlerContext?
    private let messages = PullQueue<SocketMessage>()

    init(limits: StudioLimits, loop: any EventLoop) {
        (self.limits, self.loop) = (limits, loop)
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
        let isAnswer = frame.opcode == .pong && awaitedPongs > 0
        if isAnswer { awaitedPongs -= 1 }
        if !isAnswer, frame.opcode != .continuation, !rate.admits(at: .now) { return close(.tooFast) }
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

    /// The timeout counts only while the task is reading.
    private func waitForFrame() {
        timeouts.arm(.idle, after: limits.idleTimeout) { [weak self] in
            guard let self else { return }
            if messages.isAwaited { close(.idle) } else { waitForFrame() }
        }
    }

    private func schedulePing() {
        timeouts.arm(.ping, after: limits.pingInterval) { [weak self] in
            guard let self, let context else { return }
            if context.channel.isWritable {
                send(.ping, ByteBuffer())
                awaitedPongs += 1
            }
            schedulePing()
        }
    }

    // MARK: The connection's task

    func next() -> EventLoopFuture<SocketMessage?> {
        let message = messages.take(on: loop)
        if messages.isAwaited {
            // The timeout counts from here: before, the task was not reading.
            waitForFrame()
            context?.read()
        }
        return message
    }

    func send(_ message: SocketMessage) -> EventLoopFuture<Void>? {
        guard !isClosing else { return nil }
        switch message {
        case .text(let text): return send(.text, ByteBuffer(string: text))
        case .binary(let data): return send(.binary, ByteBuffer(bytes: data))
        }
    }

    /// Sends the error message, if any, and a close; the client has some time to answer.
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
