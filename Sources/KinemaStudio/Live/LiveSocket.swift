package protocol LiveSocket: Sendable {
    /// The client's messages in order, read on demand; they end when the client disconnects.
    associatedtype Messages: AsyncSequence<SocketMessage, any Error> & Sendable

    var messages: Messages { get }

    /// Whether sent data still waits for the client to read it.
    var isBehind: Bool { get }

    /// Sends a message; waits while the client is behind, throws when it has disconnected.
    func send(_ message: SocketMessage) async throws

    /// Ends the connection with a status of RFC 6455 and a reason for people.
    func close(code: UInt16, reason: String) async
}
