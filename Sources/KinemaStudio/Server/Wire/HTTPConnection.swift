import NIOCore
import NIOHTTP1
import NIOWebSocket

/// One client's connection as the task that serves it sees it: events to ask for, parts of answers to send.
struct HTTPConnection: Sendable {
    let channel: any Channel
    /// Where it comes from.
    let client: ClientAddress
    /// Its place among the others.
    let place: Places.Place
    private let stage: NIOLoopBound<HTTPStage>
    private let gate: NIOLoopBound<WriteGate>
    private let limits: StudioLimits

    /// Builds the pipeline; on the channel's event loop.
    init(_ channel: any Channel, _ client: ClientAddress, _ place: Places.Place, limits: StudioLimits) throws {
        var parser = NIOHTTPDecoderLimitConfiguration()
        parser.maxHeaderFieldSize = limits.headBytes
        parser.maxHeaderListSize = limits.headBytes
        parser.maxHeaderFieldCount = limits.headFields
        let gate = WriteGate(stall: limits.stall)
        let stage = HTTPStage(limits: limits, loop: channel.eventLoop)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(gate)
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(
            ByteToMessageHandler(
                HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: parser)))
        try pipeline.addHandler(stage)
        self.channel = channel
        self.client = client
        self.place = place
        self.limits = limits
        self.stage = NIOLoopBound(stage, eventLoop: channel.eventLoop)
        self.gate = NIOLoopBound(gate, eventLoop: channel.eventLoop)
    }

    /// The next event; nil when the connection is over.
    func next() async throws -> HTTPStage.Event? {
        try await channel.eventLoop.flatSubmit { [stage] in stage.value.next() }.get()
    }

    /// Sends a part of an answer; waits while the client is behind, throws when it has gone.
    func send(_ part: HTTPServerResponsePart) async throws {
        try await channel.eventLoop.flatSubmit { [stage, gate, channel] () -> EventLoopFuture<Void> in
            guard let written = stage.value.write(part) else {
                return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
            }
            // Failing to write shows as a closed channel; waiting for each write to reach the system would cost a
            // round for every chunk.
            written.whenFailure { _ in channel.close(promise: nil) }
            return gate.value.opening(of: channel)
        }.get()
    }

    /// The answer is whole; with `closing`, the connection ends behind it.
    func answered(closing: Bool) {
        channel.eventLoop.execute { [stage] in
            if closing { stage.value.bid() } else { stage.value.answered() }
        }
    }

    /// Lets time pass; throws when the client has gone before.
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

    /// Ends the connection once the request in hand is answered.
    func leave() {
        channel.eventLoop.execute { [stage] in stage.value.leave() }
    }

    /// Waits until the connection is closed.
    func closed() async {
        try? await channel.closeFuture.get()
    }

    /// Answers a handshake and turns the connection into a socket.
    func upgrade(fields: HTTPHeaders) async throws -> StudioSocket {
        let head = HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: fields)
        return try await channel.eventLoop.flatSubmit { [self] in
            let pipeline = channel.pipeline.syncOperations
            do {
                _ = stage.value.write(.head(head))
                let socket = SocketStage(limits: limits, loop: channel.eventLoop)
                let encoder = try pipeline.context(handlerType: HTTPResponseEncoder.self)
                let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self)
                let frames = WebSocketFrameDecoder(maxFrameSize: max(limits.live.frameBytes, limits.textBytes))
                try pipeline.addHandlers([
                    WebSocketFrameEncoder(), FrameLengthCheck(), ByteToMessageHandler(frames), socket,
                ])
                let bound = NIOLoopBound(socket, eventLoop: channel.eventLoop)
                // The stage goes first and the decoder last, so that what the decoder holds becomes frames.
                return pipeline.removeHandler(stage.value).assumeIsolated()
                    .flatMap { pipeline.removeHandler(context: encoder) }
                    .flatMap { pipeline.removeHandler(context: decoder) }
                    .map { StudioSocket(channel: channel, stage: bound, gate: gate) }
                    .nonisolated()
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }.get()
    }
}
