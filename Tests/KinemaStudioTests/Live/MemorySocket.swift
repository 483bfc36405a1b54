import Foundation
import Synchronization

@testable import KinemaStudio

/// A client and its socket in memory: what the client says is read by the service, what the service sends by the test.
final class MemorySocket: LiveSocket {
    let messages: AsyncThrowingStream<SocketMessage, any Error>
    let received: AsyncStream<SocketMessage>
    private let saying: AsyncThrowingStream<SocketMessage, any Error>.Continuation
    private let receiving: AsyncStream<SocketMessage>.Continuation
    private let state = Mutex((isBehind: false, isGone: false, closed: UInt16?.none))

    init() {
        (messages, saying) = AsyncThrowingStream.makeStream()
        (received, receiving) = AsyncStream.makeStream()
    }

    var isBehind: Bool {
        get { state.withLock { $0.isBehind } }
        set { state.withLock { $0.isBehind = newValue } }
    }

    /// The status it was closed with.
    var closed: UInt16? { state.withLock { $0.closed } }

    func send(_ message: SocketMessage) async throws {
        if state.withLock({ $0.isGone }) { throw CancellationError() }
        receiving.yield(message)
    }

    func close(code: UInt16, reason: String) async {
        state.withLock { $0.closed = $0.closed ?? code }
        receiving.finish()
    }

    /// Says something in JSON.
    func say(_ text: String) { saying.yield(.text(text)) }

    /// Sends bytes.
    func send(bytes: Data) { saying.yield(.binary(bytes)) }

    /// Goes away without a word.
    func hangUp() {
        state.withLock { $0.isGone = true }
        saying.finish()
    }

    /// Says goodbye, but reads on.
    func leave() { saying.finish() }
}
