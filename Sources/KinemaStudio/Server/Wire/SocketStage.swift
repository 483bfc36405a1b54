import KinemaCore
import NIOCore
import NIOWebSocket

/// A connection after it became a socket: messages in, pings answered and sent, limits kept, a proper end.
final class SocketStage: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    private enum Timer { case ping, silence, farewell }

    private let limits: StudioLimits
    private let loop: any EventLoop
    private let deadlines: Deadlines<Timer>
    private var assembler: MessageAssembler
    private var rate: RateLimit
    /// Our close went out, or the client's came: only the client's close or end is of interest now.
    private var isClosing = false
    private var context: ChannelHandlerContext?
    private let messages = PullQueue<SocketMessage>()

    init(limits: StudioLimits, loop: any EventLoop) {
        self.limits = limits
        self.loop = loop
        deadlines = Deadlines(loop)
        assembler = MessageAssembler(limits: limits)
        rate = RateLimit(perSecond: limits.messagesPerSecond, burst: limits.messageBurst)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        listen()
        schedulePing()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadlines.disarmAll()
        self.context = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosing = true
        deadlines.disarmAll()
        messages.finish()
        context.fireChannelInactive()
    }

    // MARK: What comes in

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if isClosing {
            if frame.opcode == .connectionClose { context.close(promise: nil) }
            return
        }
        listen()
        // What is no answer of the client's to us costs it one of its messages. Browsers send a large one in parts,
        // whose number the assembler limits.
        let isCounted = frame.opcode != .pong && frame.opcode != .continuation
        if isCounted, !rate.admits(at: Double(NIODeadline.now().uptimeNanoseconds) / 1e9) { return end(.tooFast) }
        switch assembler.take(frame) {
        case .nothing: break
        case .message(let message): messages.put(message)
        case .ping(let data):
            // One answer to several pings is right by RFC 6455, so none waits for a client that does not read.
            if context.channel.isWritable { send(.pong, data) }
        case .close(let status):
            end(SocketFarewell(status ?? 1000, nil, ""))
            context.close(promise: nil)
        case .refused(let farewell): end(farewell)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isClosing || messages.isAwaited { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isClosing else { return }
        switch error {
        case NIOWebSocketError.invalidFrameLength: end(.tooLarge)
        case is NIOWebSocketError, is FrameLengthCheck.Fault: end(.malformed)
        default: context.close(promise: nil)
        }
    }

    /// Waits for a sign of life, though not while nobody here reads.
    private func listen() {
        deadlines.arm(.silence, after: limits.silence) { [weak self] in
            guard let self else { return }
            if messages.isAwaited { end(.silent) } else { listen() }
        }
    }

    private func schedulePing() {
        deadlines.arm(.ping, after: limits.pingEvery) { [weak self] in
            guard let self, let context else { return }
            if context.channel.isWritable { send(.ping, ByteBuffer()) }
            schedulePing()
        }
    }

    // MARK: What the socket's task asks for

    /// The next message; nil when the socket has ended.
    func next() -> EventLoopFuture<SocketMessage?> {
        let message = messages.take(on: loop)
        if messages.isAwaited {
            // Silence is counted from here: before, nobody listened.
            listen()
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

    /// Ends the socket: the error, if any, a close, and some time for the client's own.
    func end(_ farewell: SocketFarewell) {
        guard !isClosing, let context else { return }
        if let text = farewell.errorText { send(.text, ByteBuffer(string: text)) }
        var data = ByteBuffer(integer: farewell.status)
        data.writeString(PlainText.prefix(farewell.message, bytes: 123))
        send(.connectionClose, data)
        isClosing = true
        messages.finish()
        deadlines.disarmAll()
        deadlines.arm(.farewell, after: limits.farewell) { context.close(promise: nil) }
        context.read()
    }

    @discardableResult
    private func send(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> EventLoopFuture<Void>? {
        context?.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)))
    }
}
