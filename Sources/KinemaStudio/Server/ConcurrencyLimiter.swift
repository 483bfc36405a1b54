import Synchronization

/// Limits how many things go on at once; more are refused, not queued.
final class ConcurrencyLimiter: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Whether one more may begin; each that does is ended by `release`.
    func acquire() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    /// Runs the body if one more may begin; throws the error of a busy server otherwise.
    func withPermit<Result: Sendable>(_ body: sending () async throws -> Result) async throws -> Result {
        guard acquire() else { throw HTTPError.busy }
        defer { release() }
        return try await body()
    }

    /// One of them has ended.
    func release() {
        count.withLock { $0 -= 1 }
    }
}
