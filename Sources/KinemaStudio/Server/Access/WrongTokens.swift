import KinemaCore
import NIOCore
import Synchronization

/// Who sent wrong tokens: each makes the sender wait longer for the answer, and now and then a line tells of them.
struct WrongTokens: Sendable {
    private struct Sender {
        var count = 0
        /// Seconds.
        var last: Double
    }

    private let limits: StudioLimits
    private var senders: [String: Sender] = [:]
    private var untold = 0
    private var lastNews: Double?

    init(limits: StudioLimits) { self.limits = limits }

    /// Takes note of a wrong token, at a time in seconds on a clock that only rises; gives how long its answer waits,
    /// and how many there were since they were told of last, when it is time to tell.
    mutating func note(_ client: ClientAddress, at now: Double) -> (delay: Duration, news: Int?) {
        var sender = senders[client.key] ?? Sender(last: now)
        if now - sender.last > limits.wrongTokenMemory.seconds { sender.count = 0 }
        sender.count += 1
        sender.last = now
        senders[client.key] = sender
        if senders.count > limits.wrongTokenAddresses, let oldest = senders.min(by: { $0.value.last < $1.value.last }) {
            senders[oldest.key] = nil
        }
        untold += 1
        guard now - (lastNews ?? -.infinity) >= limits.wrongTokenNews.seconds else { return (delay(sender.count), nil) }
        defer { (untold, lastNews) = (0, now) }
        return (delay(sender.count), untold)
    }

    private func delay(_ count: Int) -> Duration {
        // Beyond twenty doublings it is the longest in any case.
        min(limits.wrongTokenDelay * (1 << min(count - 1, 20)), limits.wrongTokenDelayMost)
    }

    /// One line for whoever runs the studio; what a client or its proxy said is cleaned and cut.
    static func line(_ count: Int, from client: ClientAddress, forwardedFor: String?) -> Diagnostic {
        let proxied = forwardedFor.map { " (for \(PlainText.name($0, atMost: 64)))" } ?? ""
        return Diagnostic(
            "access.wrong-token",
            PlainText.counted(count, "wrong token") + (count == 1 ? "" : ", the last")
                + " from \(client.text)\(proxied)")
    }
}

/// The same, shared by all connections and on the system's clock.
final class WrongTokenLedger: Sendable {
    private let tokens: Mutex<WrongTokens>

    init(limits: StudioLimits) { tokens = Mutex(WrongTokens(limits: limits)) }

    func note(_ client: ClientAddress) -> (delay: Duration, news: Int?) {
        tokens.withLock { $0.note(client, at: Double(NIODeadline.now().uptimeNanoseconds) / 1e9) }
    }
}
