package import KinemaHTTP
package import NIOCore
package import NIOSSL
import NIOTLS

/// Limits of phones' connections before anything of them is known.
package struct TLSLimits: Sendable {
    /// Handshakes in progress; each costs some kilobytes and a signature.
    package var handshakes = 64
    /// Of one address: a browser opens up to eight connections at once.
    package var handshakesPerAddress = 16
    /// From the connection to the end of its handshake. A phone that asks its user about the certificate connects again.
    package var handshakeTimeout = Duration.seconds(10)

    package init() {}
}

/// Puts TLS in front of HTTP: a connection begins with a handshake, or it is redirected and ended.
package struct TLSDoor: Sendable {
    private let context: NIOSSLContext
    private let limits: TLSLimits
    private let handshakes: ConnectionLimiter

    package init(_ context: NIOSSLContext, limits: TLSLimits = TLSLimits()) {
        (self.context, self.limits) = (context, limits)
        handshakes = ConnectionLimiter(limits.handshakes, perAddress: limits.handshakesPerAddress)
    }

    /// Adds the handlers to a new connection. Where too many handshakes are in progress, the oldest one ends: an honest one
    /// takes a fraction of a second.
    package func add(to channel: any Channel, for client: ClientAddress) throws {
        guard let slot = handshakes.add(client, close: { channel.close(promise: nil) }) else { throw HTTPError.busy }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(FirstByteHandler(context))
        try pipeline.addHandler(HandshakeHandler(slot, limit: limits.handshakeTimeout))
    }
}

/// Tells TLS from a plain request by the first byte.
private final class FirstByteHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let tls: NIOSSLContext
    private var isRefused = false

    /// The first byte of a handshake record (RFC 8446, 5.1).
    private static let handshake: UInt8 = 22
    /// Time for the client to read the answer before the connection ends.
    private static let patience = TimeAmount.seconds(1)

    init(_ tls: NIOSSLContext) { self.tls = tls }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        guard !isRefused, let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) else { return }
        guard first == Self.handshake else { return refuse(context, isRequest: (65...90).contains(first)) }
        do {
            let pipeline = context.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: tls), position: .after(self))
            context.fireChannelRead(data)
            pipeline.removeHandler(context: context, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }

    /// Answers a request without TLS with the address that has it, and anything else not at all.
    private func refuse(_ context: ChannelHandlerContext, isRequest: Bool) {
        isRefused = true
        guard isRequest, let address = context.localAddress, let host = address.ipAddress, let port = address.port
        else {
            return context.close(promise: nil)
        }
        // The address connected to, not the one the client names: that could be anybody's.
        let place = "https://\(host.contains(":") ? "[\(host)]" : host):\(port)/"
        let answer =
            "HTTP/1.1 301 Moved Permanently\r\nLocation: \(place)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        context.close(mode: .output, promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { context.close(promise: nil) }
    }
}

/// Ends a connection whose handshake takes too long, and counts it as in progress until then.
private final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var slot: ConnectionLimiter.Slot?
    private let limit: Duration
    private var timer: Scheduled<Void>?

    init(_ slot: ConnectionLimiter.Slot, limit: Duration) { (self.slot, self.limit) = (slot, limit) }

    func handlerAdded(context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { finish() }

    func channelInactive(context: ChannelHandlerContext) {
        finish()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted? = event as? TLSUserEvent {
            finish()
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func finish() {
        timer?.cancel()
        slot?.remove()
        (timer, slot) = (nil, nil)
    }
}
