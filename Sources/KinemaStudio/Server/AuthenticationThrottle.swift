import NIOCore
import Synchronization

final class AuthenticationThrottle: Sendable {
    private let failures: Mutex<FailedTokens>

    init(limits: StudioLimits) { failures = Mutex(FailedTokens(limits: limits)) }

    /// Waits for the turn of a request that brings a token, since an address that guesses is checked at a limited rate,
    /// on however many connections; throws if the client disconnects.
    func awaitTurn(_ connection: HTTPConnection) async throws {
        let (client, ticket) = (connection.client, ObjectIdentifier(connection.work))
        defer { failures.withLock { $0.leave(ticket, client) } }
        while let time = failures.withLock({ $0.wait(of: ticket, client, at: Self.now) }) {
            try await connection.pause(time)
        }
    }

    func recordFailure(of client: ClientAddress) -> (delay: Duration, reported: Int?) {
        failures.withLock { $0.record(client, at: Self.now) }
    }

    private static var now: Double { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 }
}
