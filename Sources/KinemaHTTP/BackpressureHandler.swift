import NIOCore

/// First in the pipeline: writers wait while the client is behind; a client that stays behind is disconnected.
final class BackpressureHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// The event of received bytes, for handlers after the decoders, which report only whole heads and frames.
    struct BytesReceived {}

    private enum Timer { case write }

    private let timeout: Duration
    private var timeouts: Timeouts<Timer>?
    private var waiters: [EventLoopPromise<Void>] = []

    init(timeout: Duration) { self.timeout = timeout }

    func handlerAdded(context: ChannelHandlerContext) { timeouts = Timeouts(context.eventLoop) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireUserInboundEventTriggered(BytesReceived())
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            timeouts?.disarm(.write)
            release { $0.succeed(()) }
        } else {
            timeouts?.arm(.write, after: timeout) { context.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timeouts?.disarmAll()
        release { $0.fail(ChannelError.ioOnClosedChannel) }
        context.fireChannelInactive()
    }

    /// Succeeds when the client has read enough; fails when it has disconnected, or nothing could be written.
    func waitUntilWritable(_ channel: any Channel, after written: EventLoopFuture<Void>?) -> EventLoopFuture<Void> {
        guard let written else { return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
        // A failed write closes the channel; waiting for each write would cost a round trip a chunk.
        written.whenFailure { _ in channel.close(promise: nil) }
        guard channel.isActive else { return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
        guard !channel.isWritable else { return channel.eventLoop.makeSucceededFuture(()) }
        let promise = channel.eventLoop.makePromise(of: Void.self)
        waiters.append(promise)
        return promise.futureResult
    }

    private func release(_ action: (EventLoopPromise<Void>) -> Void) {
        let released = waiters
        waiters = []
        released.forEach(action)
    }
}
