import Synchronization

/// The messages to one client, in order. A client that lets too many wait is given up.
final class Outbox: Sendable {
    private struct Entry: Sendable {
        var message: SocketMessage
        var isResult: Bool
    }

    private let entries: AsyncStream<Entry>
    private let queue: AsyncStream<Entry>.Continuation
    /// Results that were posted and not yet handed to the socket.
    private let unsentResults = Atomic(0)
    private let isLost = Atomic(false)

    /// How many messages may wait: at thirty frames a second, those of half a minute without reading.
    private static let limit = 1024

    init() {
        (entries, queue) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.limit))
    }

    /// Whether every result that was posted has been handed to the socket.
    var isKeepingUp: Bool { unsentResults.load(ordering: .relaxed) == 0 }

    /// Puts a message in.
    func post(_ message: SocketMessage, isResult: Bool = false) {
        if isResult { unsentResults.add(1, ordering: .relaxed) }
        if case .dropped = queue.yield(Entry(message: message, isResult: isResult)) { lose() }
    }

    /// Closes the box; what waits is still sent.
    func close() { queue.finish() }

    /// Sends everything until the box is closed and empty; false when the client has gone or does not read.
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
