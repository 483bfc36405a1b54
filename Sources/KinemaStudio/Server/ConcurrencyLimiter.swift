import Synchronization

/// Limits simultaneous work; more is refused, not queued.
final class ConcurrencyLimiter: Sendable {
    private let limit: Int
    private let count = Mutex(0)

    init(_ limit: Int) { self.limit = limit }

    /// Whether one more may begin; then `release` must end it.
    func acquire() -> Bool {
        count.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
    }

    /// Runs the body if one more may begin; throws `busy` otherwise.
    func withPermit<Result: Sendable>(_ body: sending () async throws -> Result) async throws -> Result {
        guard acquire() else { throw HTTPError.busy }
        defer { release() }
        return try await body()
    }

    /// Answers if one more may begin, and counts it until the answer is sent, since a slow reader holds its memory or
    /// file.
    func answer(_ body: sending () async throws -> StudioResponse) async throws -> StudioResponse {
        guard acquire() else { throw HTTPError.busy }
        let permit = Permit(self)
        var response = try await body()
        response.permit = permit
        return response
    }

    /// A slot that is freed when nothing refers to it.
    final class Permit: Sendable {
        private let limiter: ConcurrencyLimiter

        fileprivate init(_ limiter: ConcurrencyLimiter) { self.limiter = limiter }

        deinit { limiter.release() }
    }

    func release() { count.withLock { $0 -= 1 } }
}
