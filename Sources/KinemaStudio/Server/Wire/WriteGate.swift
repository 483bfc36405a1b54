import NIOCore

/// First in the pipeline: holds writers while the client is behind, and lets go of a client that stays behind.
final class WriteGate: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Says to those behind that bytes came, which the decoders keep to themselves until a head or a frame is whole.
    enum Event { case bytesCame }

    private enum Timer { case stall }

    private let stall: Duration
    private var deadlines: Deadlines<Timer>?
    private var waiters: [EventLoopPromise<Void>] = []

    init(stall: Duration) { self.stall = stall }

    func handlerAdded(context: ChannelHandlerContext) {
        deadlines = Deadlines(context.eventLoop)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireUserInboundEventTriggered(Event.bytesCame)
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            deadlines?.disarm(.stall)
            release { $0.succeed(()) }
        } else {
            deadlines?.arm(.stall, after: stall) { context.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadlines?.disarmAll()
        release { $0.fail(ChannelError.ioOnClosedChannel) }
        context.fireChannelInactive()
    }

    /// Comes true when the client has read enough; fails when it has gone.
    func opening(of channel: any Channel) -> EventLoopFuture<Void> {
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
