import NIOCore
import NIOHTTP1

/// A connection while it speaks HTTP: hands what comes to the connection's task, and keeps the times.
final class HTTPStage: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// What the connection's task gets to see.
    enum Event: Sendable {
        case head(HTTPRequestHead)
        case body(ByteBuffer)
        case end
        /// What came cannot be understood or came too slowly; nothing follows.
        case refused(Refusal)
    }

    private enum Timer { case head, silence, body, keepAlive, farewell }

    /// Where in a request the client is.
    private enum Phase { case idle, head, body, deaf }

    private let limits: StudioLimits
    private let loop: any EventLoop
    private let deadlines: Deadlines<Timer>
    private var phase = Phase.idle
    private var isAnswering = false
    private var isLeaving = false
    private var context: ChannelHandlerContext?
    let events = PullQueue<Event>()

    init(limits: StudioLimits, loop: any EventLoop) {
        self.limits = limits
        self.loop = loop
        deadlines = Deadlines(loop)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // Whoever connects means to ask.
        deadlines.arm(.keepAlive, after: limits.firstByte) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadlines.disarmAll()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        // The task may have asked before there was anything to read from, which the channel forgets.
        if events.isAwaited { context.read() }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        phase = .deaf
        deadlines.disarmAll()
        events.finish()
        context.fireChannelInactive()
    }

    // MARK: What comes in

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is WriteGate.Event, phase == .idle else { return }
        phase = .head
        deadlines.disarm(.keepAlive)
        deadlines.arm(.head, after: limits.headTime) { [weak self] in self?.refuse(.slowHead) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase != .deaf else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            deadlines.disarm(.head)
            deadlines.disarm(.keepAlive)
            phase = .body
            deadlines.arm(.body, after: limits.bodyTime) { [weak self] in self?.refuse(.slowBody) }
            listen()
            events.put(.head(head))
        case .body(let bytes):
            listen()
            events.put(.body(bytes))
        case .end:
            deadlines.disarm(.body)
            deadlines.disarm(.silence)
            phase = .idle
            isAnswering = true
            events.put(.end)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if phase == .deaf || events.isAwaited { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard phase != .deaf else { return }
        switch error {
        case HTTPParserError.headerOverflow: refuse(.largeHead)
        case is HTTPParserError: refuse(.malformed)
        default: context.close(promise: nil)
        }
    }

    /// Waits for more of the body, though not while nobody here has asked for it.
    private func listen() {
        deadlines.arm(.silence, after: limits.bodySilence) { [weak self] in
            guard let self, phase == .body else { return }
            if events.isAwaited { refuse(.slowBody) } else { listen() }
        }
    }

    private func refuse(_ refusal: Refusal) {
        phase = .deaf
        deadlines.disarmAll()
        events.put(.refused(refusal))
        events.finish()
    }

    // MARK: What the connection's task asks for

    /// The next event; nil when the connection is over.
    func next() -> EventLoopFuture<Event?> {
        let event = events.take(on: loop)
        if events.isAwaited {
            // Silence is counted from here: before, nobody listened.
            if phase == .body { listen() }
            context?.read()
        }
        return event
    }

    func write(_ part: HTTPServerResponsePart) -> EventLoopFuture<Void>? {
        context?.writeAndFlush(wrapOutboundOut(part))
    }

    /// The answer is out, the next request may come.
    func answered() {
        isAnswering = false
        guard let context, phase == .idle else { return }
        if isLeaving { return bid() }
        deadlines.arm(.keepAlive, after: limits.keepAlive) { context.close(promise: nil) }
    }

    /// Ends the connection behind what was written: the client is told that nothing follows, and what it still sends
    /// is read over for a while, since closing at once would throw away the answer before it is read.
    func bid() {
        guard let context else { return }
        phase = .deaf
        events.finish()
        deadlines.disarmAll()
        deadlines.arm(.farewell, after: limits.farewell) { context.close(promise: nil) }
        context.close(mode: .output, promise: nil)
        context.read()
    }

    /// Ends the connection once the request in hand, if any, is answered.
    func leave() {
        isLeaving = true
        if !isAnswering && phase != .body { context?.close(promise: nil) }
        events.finish()
        if let context { deadlines.arm(.farewell, after: limits.farewell) { context.close(promise: nil) } }
    }
}
