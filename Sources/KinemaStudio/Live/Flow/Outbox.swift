import Synchronization

/// What is to be sent to one client, in order; nothing of it waits without bound.
final class Outbox: Sendable {
    private struct Entry {
        var message: SocketMessage
        var isResult: Bool
    }

    private struct State {
        var queue: [Entry] = []
        /// Results that were posted and not yet handed to the socket.
        var unsentResults = 0
        var isClosed = false
        var isLost = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// So many messages may wait; at thirty frames a second that is a client that has read nothing for half a minute.
    private static let limit = 1024

    /// Whether every result that was posted has been handed to the socket.
    var isKeepingUp: Bool { state.withLock { $0.unsentResults == 0 } }

    /// Puts a message in; a client who lets too many wait is given up.
    func post(_ message: SocketMessage, isResult: Bool = false) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.isClosed, !state.isLost else { return nil }
            state.queue.append(Entry(message: message, isResult: isResult))
            if isResult { state.unsentResults += 1 }
            if state.queue.count > Self.limit {
                state.queue = []
                state.isLost = true
            }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Nothing more will be posted; what waits is still sent.
    func close() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isClosed = true
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    /// Sends everything until the box is closed and empty; false when the client has gone or does not read.
    func drain(to socket: some LiveSocket) async -> Bool {
        while let entries = await next() {
            for entry in entries {
                // Before sending: whoever has a result in hand may count on the next one.
                if entry.isResult { state.withLock { $0.unsentResults -= 1 } }
                do { try await socket.send(entry.message) } catch { return lose() }
            }
        }
        return !state.withLock { $0.isLost }
    }

    private func lose() -> Bool {
        state.withLock { state in
            state.queue = []
            state.isLost = true
        }
        return false
    }

    private func next() async -> [Entry]? {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isReady = state.withLock { state -> Bool in
                if !state.queue.isEmpty || state.isClosed || state.isLost { return true }
                state.waiter = continuation
                return false
            }
            if isReady { continuation.resume() }
        }
        return state.withLock { state in
            guard !state.isLost, !state.queue.isEmpty else { return nil }
            defer { state.queue = [] }
            return state.queue
        }
    }
}
