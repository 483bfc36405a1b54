import NIOCore
import NIOHTTP1
import NIOWebSocket
import Synchronization

/// A connection while it speaks HTTP: hands requests to the connection's task and enforces the timeouts.
final class HTTPHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// What the connection's task reads.
    enum Event: Sendable {
        case head(HTTPRequestHead)
        case body(ByteBuffer)
        case end
        /// The request is malformed, too large or too slow; nothing follows.
        case failed(HTTPError)
    }

    private enum Timer { case head, bodyIdle, body, keepAlive, close }

    /// What is read now; nothing more after the last request.
    private enum Phase { case idle, head, body, closed }

    private let limits: StudioLimits
    private let loop: any EventLoop
    private let timeouts: Timeouts<Timer>
    private var phase = Phase.idle
    private var isAnswering = false
    private var isShuttingDown = false
    private var context: ChannelHandlerContext?
    let events = PullQueue<Event>()

    init(limits: StudioLimits, loop: any EventLoop) {
        self.limits = limits
        self.loop = loop
        timeouts = Timeouts(loop)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // A client that connects is expected to ask.
        timeouts.arm(.keepAlive, after: limits.firstByteTimeout) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeouts.disarmAll()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        // The task may have asked before the channel was active, which the channel forgets.
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
        switch unwrapInboundIn(data) {
        case .head(let head):
            timeouts.disarm(.head)
            timeouts.disarm(.keepAlive)
            phase = .body
            timeouts.arm(.body, after: limits.bodyTimeout) { [weak self] in self?.fail(.slowBody) }
            waitForBody()
            events.put(.head(head))
        case .body(let bytes):
            waitForBody()
            events.put(.body(bytes))
        case .end:
            timeouts.disarm(.body)
            timeouts.disarm(.bodyIdle)
            phase = .idle
            isAnswering = true
            events.put(.end)
        }
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

    /// Waits for more of the body, though only while the task is reading.
    private func waitForBody() {
        timeouts.arm(.bodyIdle, after: limits.bodyIdleTimeout) { [weak self] in
            guard let self, phase == .body else { return }
            if events.isAwaited { fail(.slowBody) } else { waitForBody() }
        }
    }

    private func fail(_ error: HTTPError) {
        phase = .closed
        timeouts.disarmAll()
        events.put(.failed(error))
        events.finish()
    }

    // MARK: The connection's task

    /// The next event; nil when the connection is over.
    func next() -> EventLoopFuture<Event?> {
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

    /// The response is sent; the next request may come.
    func finishResponse() {
        isAnswering = false
        guard let context, phase == .idle else { return }
        if isShuttingDown { return finish() }
        timeouts.arm(.keepAlive, after: limits.keepAliveTimeout) { context.close(promise: nil) }
    }

    /// Ends the connection after what was written. What the client still sends is discarded for a while: closing at once
    /// would reset the connection before the client has read the response.
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

/// The work for a connection's present request, which its end cancels.
final class ConnectionWork: Sendable {
    private struct State {
        var isOver = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Work begins; it is cancelled at once where the connection is over already.
    func begin(_ cancel: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            state.cancel = cancel
            return state.isOver
        }
        if isOver { cancel() }
    }

    /// The work is done.
    func end() {
        state.withLock { $0.cancel = nil }
    }

    /// The connection is over.
    func cancel() {
        let cancel = state.withLock { state in
            state.isOver = true
            return state.cancel
        }
        cancel?()
    }
}

/// One client's connection for the task that serves it: events to read, parts of responses to send.
struct HTTPConnection: Sendable {
    let channel: any Channel
    /// Where it comes from.
    let client: ClientAddress
    /// Its slot among all connections.
    let slot: ConnectionLimiter.Slot
    /// What is being done for it.
    let work = ConnectionWork()
    private let handler: NIOLoopBound<HTTPHandler>
    private let backpressure: NIOLoopBound<BackpressureHandler>
    private let limits: StudioLimits

    /// Builds the pipeline; on the channel's event loop.
    init(_ channel: any Channel, _ client: ClientAddress, _ slot: ConnectionLimiter.Slot, limits: StudioLimits) throws {
        var parser = NIOHTTPDecoderLimitConfiguration()
        parser.maxHeaderFieldSize = limits.headBytes
        parser.maxHeaderListSize = limits.headBytes
        parser.maxHeaderFieldCount = limits.headFields
        let backpressure = BackpressureHandler(timeout: limits.writeTimeout)
        let handler = HTTPHandler(limits: limits, loop: channel.eventLoop)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(backpressure)
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(
            ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: parser)))
        try pipeline.addHandler(handler)
        self.channel = channel
        self.client = client
        self.slot = slot
        self.limits = limits
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        self.backpressure = NIOLoopBound(backpressure, eventLoop: channel.eventLoop)
        channel.closeFuture.whenComplete { [work] _ in work.cancel() }
    }

    /// The address of this machine that the client connected to.
    var localHost: String {
        let host = channel.localAddress?.ipAddress ?? ""
        // An IPv4 client of a listener for both kinds.
        return host.hasPrefix("::ffff:") ? String(host.dropFirst(7)) : host
    }

    /// The next event; nil when the connection is over.
    func next() async throws -> HTTPHandler.Event? {
        try await channel.eventLoop.flatSubmit { [handler] in handler.value.next() }.get()
    }

    /// Sends a part of a response; waits while the client is behind, throws when it has gone.
    func send(_ part: HTTPServerResponsePart) async throws {
        try await channel.eventLoop.flatSubmit { [handler, backpressure, channel] () -> EventLoopFuture<Void> in
            guard let written = handler.value.write(part) else {
                return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
            }
            // Failing to write shows as a closed channel; waiting for each write to reach the system would cost a
            // round for every chunk.
            written.whenFailure { _ in channel.close(promise: nil) }
            return backpressure.value.waitUntilWritable(channel)
        }.get()
    }

    /// The response is complete; with `closing`, the connection ends after it.
    func finishResponse(closing: Bool) {
        channel.eventLoop.execute { [handler] in
            if closing { handler.value.finish() } else { handler.value.finishResponse() }
        }
    }

    /// Waits; throws when the client goes before.
    func pause(_ time: Duration) async throws {
        do {
            try await channel.eventLoop.flatSubmit { [channel] in
                let timer = channel.eventLoop.scheduleTask(in: TimeAmount(time)) {}
                channel.closeFuture.whenComplete { _ in timer.cancel() }
                return timer.futureResult
            }.get()
        } catch {
            throw ChannelError.ioOnClosedChannel
        }
    }

    /// Ends the connection once the current request is answered.
    func shutDown() {
        channel.eventLoop.execute { [handler] in handler.value.shutDown() }
    }

    /// Waits until the connection is closed.
    func closed() async {
        try? await channel.closeFuture.get()
    }

    /// Accepts a handshake and turns the connection into a WebSocket.
    func upgrade(fields: HTTPHeaders) async throws -> WebSocketConnection {
        let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: fields)
        return try await channel.eventLoop.flatSubmit { [self] in
            let pipeline = channel.pipeline.syncOperations
            do {
                _ = handler.value.write(.head(head))
                let socket = WebSocketHandler(limits: limits, loop: channel.eventLoop)
                let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self)
                let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
                let frames = WebSocketFrameDecoder(maxFrameSize: max(limits.live.frameBytes, limits.textBytes))
                try pipeline.addHandlers([
                    WebSocketFrameEncoder(), FrameLengthCheck(), ByteToMessageHandler(frames), socket,
                ])
                let bound = NIOLoopBound(socket, eventLoop: channel.eventLoop)
                // This handler goes first and the decoder last, so that what the decoder holds becomes frames.
                return pipeline.removeHandler(handler.value).assumeIsolated()
                    .flatMap { pipeline.removeHandler(context: encoder) }
                    .flatMap { pipeline.removeHandler(context: decoder) }
                    .map { WebSocketConnection(channel: channel, handler: bound, backpressure: backpressure) }
                    .nonisolated()
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }.get()
    }
}
