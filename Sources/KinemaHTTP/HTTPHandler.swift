import NIOCore
import NIOHTTP1

/// Passes HTTP requests to the connection's task and enforces the timeouts.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum Timer { case head, bodyIdle, body, keepAlive, close }

    private enum Phase { case idle, head, body, closed }

    private let limits: StudioLimits
    private let loop: any EventLoop
    private let timeouts: Timeouts<Timer>
    private var phase = Phase.idle
    private var isAnswering = false
    private var isShuttingDown = false
    private var context: ChannelHandlerContext?
    let events = PullQueue<HTTPConnection.Event>()

    init(limits: StudioLimits, loop: any EventLoop) {
        (self.limits, self.loop) = (limits, loop)
        timeouts = Timeouts(loop)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        timeouts.arm(.keepAlive, after: limits.firstByteTimeout) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeouts.disarmAll()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        // The channel forgets a read from before it was active.
        if events.isAwaited { context.read() }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        phase = .closed
        timeouts.disarmAll()
        events.finish()
        context.fireChannelInactive()
    }

    // MARK: Reading

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is BackpressureHandler.BytesReceived, phase == .idle else { return }
        phase = .head
        timeouts.disarm(.keepAlive)
        timeouts.arm(.head, after: limits.headTimeout) { [weak self] in self?.fail(.slowHead) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard phase != .closed else { return }
        let part = unwrapInboundIn(data)
        switch part {
        case .head:
            timeouts.disarm(.head)
            timeouts.disarm(.keepAlive)
            phase = .body
            timeouts.arm(.body, after: limits.bodyTimeout) { [weak self] in self?.fail(.slowBody) }
            waitForBody()
        case .body: waitForBody()
        case .end:
            timeouts.disarm(.body)
            timeouts.disarm(.bodyIdle)
            phase = .idle
            isAnswering = true
        }
        events.put(.success(part))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if phase == .closed || events.isAwaited { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard phase != .closed else { return }
        switch error {
        case HTTPParserError.headerOverflow: fail(.largeHead)
        case is HTTPParserError: fail(.malformed)
        default: context.close(promise: nil)
        }
    }

    /// The timeout counts only while the task is reading.
    private func waitForBody() {
        timeouts.arm(.bodyIdle, after: limits.bodyIdleTimeout) { [weak self] in
            guard let self, phase == .body else { return }
            if events.isAwaited { fail(.slowBody) } else { waitForBody() }
        }
    }

    private func fail(_ error: HTTPError) {
        phase = .closed
        timeouts.disarmAll()
        events.put(.failure(error))
        events.finish()
    }

    // MARK: The connection's task

    func next() -> EventLoopFuture<HTTPConnection.Event?> {
        let event = events.take(on: loop)
        if events.isAwaited {
            // The timeout counts from here: before, the task was not reading.
            if phase == .body { waitForBody() }
            context?.read()
        }
        return event
    }

    func write(_ part: HTTPServerResponsePart) -> EventLoopFuture<Void>? {
        context?.writeAndFlush(wrapOutboundOut(part))
    }

    func finishResponse() {
        isAnswering = false
        guard let context, phase == .idle else { return }
        if isShuttingDown { return finish() }
        timeouts.arm(.keepAlive, after: limits.keepAliveTimeout) { context.close(promise: nil) }
    }

    /// Ends the connection after pending output; discards input for a while, since closing at once would reset it.
    func finish() {
        guard let context else { return }
        phase = .closed
        events.finish()
        timeouts.disarmAll()
        timeouts.arm(.close, after: limits.closeTimeout) { context.close(promise: nil) }
        context.close(mode: .output, promise: nil)
        context.read()
    }

    /// Ends the connection once the current request, if any, is answered.
    func shutDown() {
        isShuttingDown = true
        if !isAnswering && phase != .body { context?.close(promise: nil) }
        events.finish()
        if let context { timeouts.arm(.close, after: limits.closeTimeout) { context.close(promise: nil) } }
    }
}
