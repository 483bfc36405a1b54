import KinemaCore

/// Counts wrong tokens by address: each doubles the delay of the answer; one line reports several.
struct FailedTokens: Sendable {
    private struct Sender {
        var count = 0
        var last: Double
        /// When the next token of the address is checked, and the requests that wait for it.
        var next = 0.0
        var waiting: [ObjectIdentifier] = []
    }

    private let limits: StudioLimits
    private var senders: [String: Sender] = [:]
    private var unreported = 0
    private var lastReport: Double?

    init(limits: StudioLimits) { self.limits = limits }

    /// Counts a wrong token at a monotonic time in seconds; returns the answer's delay and the count of a due report.
    mutating func record(_ client: ClientAddress, at now: Double) -> (delay: Duration, reported: Int?) {
        var sender = senders[client.key] ?? Sender(last: now)
        if now - sender.last > limits.wrongTokenMemory.seconds { sender.count = 0 }
        sender.count += 1
        sender.last = now
        senders[client.key] = sender
        if senders.count > limits.wrongTokenAddresses, let oldest = senders.min(by: { $0.value.last < $1.value.last }) {
            senders[oldest.key] = nil
        }
        unreported += 1
        guard now - (lastReport ?? -.infinity) >= limits.wrongTokenReportInterval.seconds else {
            return (delay(sender.count), nil)
        }
        defer { (unreported, lastReport) = (0, now) }
        return (delay(sender.count), unreported)
    }

    /// How long a request still waits until its token is checked: in turn, one per interval, while its address counts
    /// wrong ones. Nil when it is its turn.
    mutating func wait(of ticket: ObjectIdentifier, _ client: ClientAddress, at now: Double) -> Duration? {
        guard var sender = senders[client.key], now - sender.last <= limits.wrongTokenMemory.seconds else { return nil }
        defer { senders[client.key] = sender }
        if !sender.waiting.contains(ticket) { sender.waiting.append(ticket) }
        let interval = limits.tokenInterval.seconds
        let place = sender.waiting.firstIndex(of: ticket) ?? 0
        guard place == 0, now >= sender.next else {
            return .seconds(max(sender.next + Double(place) * interval - now, interval / 10))
        }
        sender.next = now + interval
        return nil
    }

    /// Forgets a request that was checked, or whose client has disconnected.
    mutating func leave(_ ticket: ObjectIdentifier, _ client: ClientAddress) {
        senders[client.key]?.waiting.removeAll { $0 == ticket }
    }

    private func delay(_ count: Int) -> Duration {
        min(limits.wrongTokenDelay * (1 << min(count - 1, 20)), limits.wrongTokenMaximumDelay)
    }

    /// The report; text from a client or its proxy is cleaned and cut.
    static func line(_ count: Int, from client: ClientAddress, forwardedFor: String?) -> Diagnostic {
        let proxied = forwardedFor.map { " (for \(PlainText.name($0, atMost: 64)))" } ?? ""
        return Diagnostic(
            "access.wrong-token",
            PlainText.counted(count, "wrong token") + (count == 1 ? "" : ", the last")
                + " from \(client.text)\(proxied)")
    }
}
