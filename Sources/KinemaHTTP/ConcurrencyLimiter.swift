import NIOCore
import Synchronization

/// Limits simultaneous work, in total and per address; more is refused, not queued.
package final class ConcurrencyLimiter: Sendable {
    private let limit, limitPerAddress: Int
    private let counts = Mutex<[String: Int]>([:])

    package init(_ limit: Int, perAddress limitPerAddress: Int? = nil) {
        (self.limit, self.limitPerAddress) = (limit, limitPerAddress ?? limit)
    }

    /// A slot for a client, nil if all are taken; it is freed when nothing refers to it.
    package func permit(for client: ClientAddress) -> Permit? {
        counts.withLock { counts in
            let count = counts[client.key, default: 0]
            guard count < limitPerAddress, counts.values.reduce(0, +) < client.share(of: limit) else { return nil }
            counts[client.key] = count + 1
            return Permit(self, client)
        }
    }

    /// Runs the body if one more may begin; throws `busy` otherwise.
    package func withPermit<Result: Sendable>(
        for client: ClientAddress, _ body: sending () async throws -> Result
    ) async throws -> Result {
        guard let permit = permit(for: client) else { throw HTTPError.busy }
        defer { withExtendedLifetime(permit) {} }
        return try await body()
    }

    /// Answers if one more may begin, and counts it until the answer is sent, since a slow reader holds its memory or
    /// file.
    package func answer(
        for client: ClientAddress, _ body: sending () async throws -> StudioResponse
    ) async throws -> StudioResponse {
        guard let permit = permit(for: client) else { throw HTTPError.busy }
        var response = try await body()
        response.permit = permit
        return response
    }

    package final class Permit: Sendable {
        private let limiter: ConcurrencyLimiter
        private let client: ClientAddress

        fileprivate init(_ limiter: ConcurrencyLimiter, _ client: ClientAddress) {
            (self.limiter, self.client) = (limiter, client)
        }

        deinit {
            limiter.counts.withLock { counts in
                let count = counts[client.key, default: 1] - 1
                counts[client.key] = count > 0 ? count : nil
            }
        }
    }
}

/// Limits connections or sockets, in total and per address; a new one replaces the one that has been idle longest.
package final class ConnectionLimiter: Sendable {
    package struct Slot: Sendable {
        fileprivate let number: Int
        fileprivate let limiter: ConnectionLimiter

        func markBusy() { limiter.mark(number, isIdle: false) }
        package func markIdle() { limiter.mark(number, isIdle: true) }
        package func remove() { limiter.remove(number) }
    }

    private struct Entry {
        let address: String
        let close: @Sendable () -> Void
        /// Rises with each slot that becomes idle; nil while busy.
        var idleSince: Int?
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var clock = 0
        var isClosed = false

        mutating func tick() -> Int {
            clock += 1
            return clock
        }

        func longestIdle(of address: String?) -> Int? {
            entries.filter { $0.value.idleSince != nil && (address == nil || $0.value.address == address) }
                .min { ($0.value.idleSince ?? 0) < ($1.value.idleSince ?? 0) }?.key
        }
    }

    private let limit: Int
    private let limitPerAddress: Int
    private let state = Mutex(State())

    package init(_ limit: Int, perAddress limitPerAddress: Int) {
        (self.limit, self.limitPerAddress) = (limit, limitPerAddress)
    }

    /// Adds an idle connection with its `close`, replacing another idle one; nil if all are busy, and after `closeAll`.
    package func add(_ client: ClientAddress, close: @escaping @Sendable () -> Void) -> Slot? {
        let (number, displaced) = state.withLock { state -> (Int?, Entry?) in
            guard !state.isClosed else { return (nil, nil) }
            let address = client.key
            var displaced: Entry?
            let isAddressFull = state.entries.count { $0.value.address == address } >= limitPerAddress
            if isAddressFull || state.entries.count >= client.share(of: limit) {
                guard let oldest = state.longestIdle(of: isAddressFull ? address : nil) else { return (nil, nil) }
                displaced = state.entries.removeValue(forKey: oldest)
            }
            let number = state.tick()
            state.entries[number] = Entry(address: address, close: close, idleSince: number)
            return (number, displaced)
        }
        displaced?.close()
        return number.map { Slot(number: $0, limiter: self) }
    }

    func closeAll() {
        let entries = state.withLock { state in
            state.isClosed = true
            return state.entries.values
        }
        for entry in entries { entry.close() }
    }

    private func mark(_ number: Int, isIdle: Bool) {
        state.withLock { state in
            let moment = state.tick()
            state.entries[number]?.idleSince = isIdle ? moment : nil
        }
    }

    private func remove(_ number: Int) { state.withLock { $0.entries[number] = nil } }
}

/// A queue on one event loop for one reading task; its owner reads from the network only while the task waits.
final class PullQueue<Element: Sendable> {
    private var waiting = CircularBuffer<Element>()
    private var waiter: EventLoopPromise<Element?>?
    private var isFinished = false

    var isAwaited: Bool { waiter != nil }

    func put(_ element: Element) {
        guard !isFinished else { return }
        if let waiter {
            self.waiter = nil
            waiter.succeed(element)
        } else {
            waiting.append(element)
        }
    }

    /// Ends the queue after the waiting elements.
    func finish() {
        isFinished = true
        waiter?.succeed(nil)
        waiter = nil
    }

    func take(on loop: any EventLoop) -> EventLoopFuture<Element?> {
        if let element = waiting.popFirst() { return loop.makeSucceededFuture(element) }
        if isFinished { return loop.makeSucceededFuture(nil) }
        // A second reader would make the first wait for ever.
        waiter?.succeed(nil)
        let promise = loop.makePromise(of: Element?.self)
        waiter = promise
        return promise.futureResult
    }
}

/// Limits a rate, with a burst above it.
package struct TokenBucket: Sendable {
    private let perSecond: Double
    private let burst: Double
    private var tokens: Double
    private var last: ContinuousClock.Instant?

    package init(perSecond: Int, burst: Int) {
        (self.perSecond, self.burst, tokens) = (Double(perSecond), Double(burst), Double(burst))
    }

    /// Whether an event is within the rate at a monotonic time.
    package mutating func admits(at now: ContinuousClock.Instant) -> Bool {
        if let last { tokens = min(burst, tokens + max(0, (now - last) / .seconds(1)) * perSecond) }
        last = now
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }
}
