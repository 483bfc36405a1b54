import NIOCore

struct WebSocketConnection: LiveSocket {
    struct Messages: AsyncSequence, Sendable {
        fileprivate let socket: WebSocketConnection

        struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let socket: WebSocketConnection

            mutating func next() async throws -> SocketMessage? { try await socket.next() }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }
    }

    private let channel: any Channel
    private let handler: NIOLoopBound<WebSocketHandler>
    private let backpressure: NIOLoopBound<BackpressureHandler>
    /// Busy from the first message: a socket without one makes room for another.
    private var slot: ConnectionLimiter.Slot?

    init(
        channel: any Channel, handler: NIOLoopBound<WebSocketHandler>, backpressure: NIOLoopBound<BackpressureHandler>
    ) {
        (self.channel, self.handler, self.backpressure) = (channel, handler, backpressure)
    }

    func holding(_ slot: ConnectionLimiter.Slot) -> WebSocketConnection {
        var copy = self
        copy.slot = slot
        return copy
    }

    var messages: Messages { Messages(socket: self) }

    var isBehind: Bool { !channel.isWritable }

    func send(_ message: SocketMessage) async throws {
        try await channel.eventLoop.flatSubmit { [handler, backpressure, channel] in
            backpressure.value.waitUntilWritable(channel, after: handler.value.send(message))
        }.get()
    }

    func close(code: UInt16, reason: String) async {
        close(WebSocketClose(code, nil, reason))
        await closed()
    }

    func close(_ reason: WebSocketClose) {
        channel.eventLoop.execute { [handler] in handler.value.close(reason) }
    }

    func closed() async { try? await channel.closeFuture.get() }

    private func next() async throws -> SocketMessage? {
        let message = try await channel.eventLoop.flatSubmit { [handler] in handler.value.next() }.get()
        if message != nil { slot?.markBusy() }
        return message
    }
}
