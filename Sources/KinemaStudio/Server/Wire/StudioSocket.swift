import NIOCore

/// A client's socket over TCP.
struct StudioSocket: LiveSocket {
    /// What the client sends, read from the network one by one as it is asked for.
    struct Messages: AsyncSequence, Sendable {
        fileprivate let socket: StudioSocket

        struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let socket: StudioSocket

            mutating func next() async throws -> SocketMessage? { try await socket.next() }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(socket: socket) }
    }

    private let channel: any Channel
    private let stage: NIOLoopBound<SocketStage>
    private let gate: NIOLoopBound<WriteGate>

    init(channel: any Channel, stage: NIOLoopBound<SocketStage>, gate: NIOLoopBound<WriteGate>) {
        self.channel = channel
        self.stage = stage
        self.gate = gate
    }

    var messages: Messages { Messages(socket: self) }

    var isBehind: Bool { !channel.isWritable }

    func send(_ message: SocketMessage) async throws {
        try await channel.eventLoop.flatSubmit { [stage, gate, channel] () -> EventLoopFuture<Void> in
            guard let written = stage.value.send(message) else {
                return channel.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel)
            }
            written.whenFailure { _ in channel.close(promise: nil) }
            return gate.value.opening(of: channel)
        }.get()
    }

    func close(code: UInt16, reason: String) async {
        end(SocketFarewell(code, nil, reason))
        await closed()
    }

    /// Ends the socket without waiting for the client.
    func end(_ farewell: SocketFarewell) {
        channel.eventLoop.execute { [stage] in stage.value.end(farewell) }
    }

    /// Waits until the connection is closed.
    func closed() async {
        try? await channel.closeFuture.get()
    }

    private func next() async throws -> SocketMessage? {
        try await channel.eventLoop.flatSubmit { [stage] in stage.value.next() }.get()
    }
}
