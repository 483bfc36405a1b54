/// One client's socket, whatever carries it; the server has one over TCP, tests have one in memory.
package protocol LiveSocket: Sendable {
    /// What the client sends, in order; ends when the client has gone. Reads no further than it is asked to.
    associatedtype Messages: AsyncSequence<SocketMessage, any Error> & Sendable

    /// What the client sends; can be iterated once.
    var messages: Messages { get }

    /// Whether something sent before still waits for the client to read it.
    var isBehind: Bool { get }

    /// Sends a message; waits while the client is behind. Throws when the client has gone.
    func send(_ message: SocketMessage) async throws

    /// Ends the connection with a status of RFC 6455 and a reason a person can read.
    func close(code: UInt16, reason: String) async
}
