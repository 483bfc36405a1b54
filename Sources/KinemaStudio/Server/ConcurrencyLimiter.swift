import Synchronization

/// Limits simultaneous work, in total and per address; more is refused, not queued.
final class ConcurrencyLimiter: Sendable {
    private let limit, limitPerAddress: Int
    private let counts = Mutex<[String: Int]>([:])

    init(_ limit: Int, perAddress limitPerAddress: Int? = nil) {
        (self.limit, self.limitPerAddress) = (limit, limitPerAddress ?? limit)
    }

    /// A slot for a client, nil if all are taken; it is freed when nothing refers to it.
    func permit(for client: ClientAddress) -> Permit? {
        counts.withLock { counts in
            let count = counts[client.key, default: 0]
            guard count < limitPerAddress, counts.values.reduce(0, +) < client.share(of: limit) else { return nil }
            counts[client.key] = count + 1
            return Permit(self, client)
        }
    }

    /// Runs the body if one more may begin; throws `busy` otherwise.
    func withPermit<Result: Sendable>(
        for client: ClientAddress, _ body: sending () async throws -> Result
    ) async throws -> Result {
        guard let permit = permit(for: client) else { throw HTTPError.busy }
        defer { withExtendedLifetime(permit) {} }
        return try await body()
    }

    /// Answers if one more may begin, and counts it until the answer is sent, since a slow reader holds its memory or
    /// file.
    func answer(
        for client: ClientAddress, _ body: sending () async throws -> StudioResponse
    ) async throws -> StudioResponse {
        guard let permit = permit(for: client) else { throw HTTPError.busy }
        var response = try await body()
        response.permit = permit
        return response
    }

    final class Permit: Sendable {
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
