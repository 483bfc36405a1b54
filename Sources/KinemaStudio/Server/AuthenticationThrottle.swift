import NIOCore
import Synchronization

final class AuthenticationThrottle: Sendable {
    private let failures: Mutex<FailedTokens>

    init(limits: StudioLimits) { failures = Mutex(FailedTokens(limits: limits)) }

    func recordFailure(of client: ClientAddress) -> (delay: Duration, reported: Int?) {
        failures.withLock { $0.record(client, at: Double(NIODeadline.now().uptimeNanoseconds) / 1e9) }
    }
}
