package import NIOCore
package import NIOHTTP1
import NIOWebSocket
import Synchronization

package struct HTTPConnection: Sendable {
    /// A part of a request; a failure if it is malformed, too large or too slow, and then nothing follows.
    package typealias Event = Result<HTTPServerRequestPart, HTTPError>

    package let channel: any Channel
    package let client: ClientAddress
    package let slot: ConnectionLimiter.Slot
    package let work = ConnectionWork()
    private let handler: NIOLoopBound<HTTPHandler>
    private let backpressure: NIOLoopBound<BackpressureHandler>
    let limits: StudioLimits

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
        (self.channel, self.client, self.slot, self.limits) = (channel, client, slot, limits)
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        self.backpressure = NIOLoopBound(backpressure, eventLoop: channel.eventLoop)
        channel.closeFuture.whenComplete { [work] _ in work.cancel() }
    }

    /// The address of this machine that the client connected to.
    package var localHost: String { ClientAddress(channel.localAddress).text }

    package func next() async throws -> Event? {
        try await channel.eventLoop.flatSubmit { [handler] in handler.value.next() }.get()
    }

    /// Sends a part of a response; waits while the client is behind, throws when it has disconnected.
    package func send(_ part: HTTPServerResponsePart) async throws {
        try await channel.eventLoop.flatSubmit { [handler, backpressure, channel] in
            backpressure.value.waitUntilWritable(channel, after: handler.value.write(part))
        }.get()
    }

    package func finishResponse(closing: Bool) {
        channel.eventLoop.execute { [handler] in
            if closing { handler.value.finish() } else { handler.value.finishResponse() }
        }
    }

    /// Waits; throws if the client disconnects.
    package func pause(_ time: Duration) async throws {
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

    /// An admitted request is being answered: the connection is not closed for another.
    package func markBusy() { slot.markBusy() }

    package func abort() { channel.close(promise: nil) }

    /// Runs `work`, then waits for the end of the connection; a cancelled task ends it after the current request.
    package func serve(_ work: () async throws -> Void) async {
        await withTaskCancellationHandler {
            do {
                try await work()
            } catch {
                // The client has disconnected or does not read.
                abort()
            }
            try? await channel.closeFuture.get()
        } onCancel: {
            channel.eventLoop.execute { [handler] in handler.value.shutDown() }
        }
    }

    /// Accepts a handshake and turns the connection into a WebSocket.
    package func upgrade(fields: HTTPHeaders) async throws -> WebSocketConnection {
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
                // This handler goes first and the decoder last, so that the decoder's remaining bytes become frames.
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

/// The work for a connection's current request; its end cancels it.
package final class ConnectionWork: Sendable {
    private struct State {
        var isOver = false
        var isAdmitted = false
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    /// Begins work; cancels it at once if the connection has ended.
    package func begin(_ cancel: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            state.cancel = cancel
            return state.isOver
        }
        if isOver { cancel() }
    }

    /// Whether an earlier request of the connection was admitted: then it does not guess.
    package var isAdmitted: Bool { state.withLock { $0.isAdmitted } }

    package func admit() { state.withLock { $0.isAdmitted = true } }

    package func end() { state.withLock { $0.cancel = nil } }

    func cancel() {
        let cancel = state.withLock { state in
            state.isOver = true
            return state.cancel
        }
        cancel?()
    }
}
