import Synchronization

/// The messages to one client in order; a client with too many unread messages is disconnected.
final class Outbox: Sendable {
    private struct Entry: Sendable {
        var message: SocketMessage
        var isResult: Bool
    }

    private let entries: AsyncStream<Entry>
    private let queue: AsyncStream<Entry>.Continuation
    /// Results that the socket does not have yet.
    private let unsentResults = Atomic(0)
    private let isLost = Atomic(false)

    /// Half a minute of messages at 30 frames a second.
    private static let limit = 1024

    init() { (entries, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.limit)) }

    /// Whether the socket has every result.
    var isKeepingUp: Bool { unsentResults.load(ordering: .relaxed) == 0 }

    func post(_ message: SocketMessage, isResult: Bool = false) {
        if isResult { unsentResults.add(1, ordering: .relaxed) }
        if case .dropped = queue.yield(Entry(message: message, isResult: isResult)) { lose() }
    }

    func close() { queue.finish() }

    /// Sends everything until the box is closed and empty; false if the client has disconnected or does not read.
    func drain(to socket: some LiveSocket) async -> Bool {
        for await entry in entries where !isLost.load(ordering: .relaxed) {
            // Before sending: a client that has received a result gets the next one.
            if entry.isResult { unsentResults.subtract(1, ordering: .relaxed) }
            do { try await socket.send(entry.message) } catch { lose() }
        }
        return !isLost.load(ordering: .relaxed)
    }

    private func lose() {
        isLost.store(true, ordering: .relaxed)
        queue.finish()
    }
}
