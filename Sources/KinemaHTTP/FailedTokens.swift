package import KinemaCore
import NIOCore
import Synchronization

/// Counts wrong tokens by address: each doubles the delay of the answer; one line reports several.
package struct FailedTokens: Sendable {
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
    package static func line(_ count: Int, from client: ClientAddress, forwardedFor: String?) -> Diagnostic {
        let proxied = forwardedFor.map { " (for \(PlainText.name($0, atMost: 64)))" } ?? ""
        return Diagnostic(
            "access.wrong-token",
            PlainText.counted(count, "wrong token") + (count == 1 ? "" : ", the last")
                + " from \(client.text)\(proxied)")
    }
}

package final class AuthenticationThrottle: Sendable {
    private let failures: Mutex<FailedTokens>

    package init(limits: StudioLimits) { failures = Mutex(FailedTokens(limits: limits)) }

    /// Waits for the turn of a request that brings a token, since an address that guesses is checked at a limited rate,
    /// on however many connections; throws if the client disconnects.
    package func awaitTurn(_ connection: HTTPConnection) async throws {
        let (client, ticket) = (connection.client, ObjectIdentifier(connection.work))
        defer { failures.withLock { $0.leave(ticket, client) } }
        while let time = failures.withLock({ $0.wait(of: ticket, client, at: Self.now) }) {
            try await connection.pause(time)
        }
    }

    package func recordFailure(of client: ClientAddress) -> (delay: Duration, reported: Int?) {
        failures.withLock { $0.record(client, at: Self.now) }
    }

    private static var now: Double { Double(NIODeadline.now().uptimeNanoseconds) / 1e9 }
}

package struct ClientAddress: Hashable, Sendable {
    let text: String
    /// The key of one client: an IPv4 address, or an IPv6 network (/64).
    let key: String

    /// Whether the client is on this machine, as the owner's page usually is.
    var isOfThisMachine: Bool { text == "::1" || text.hasPrefix("127.") }

    init(_ address: SocketAddress?) { self.init(address?.ipAddress ?? "") }

    /// Reads an address as `inet_ntop` writes it.
    init(_ address: String) {
        // An IPv4 client of a listener for both kinds.
        text = address.hasPrefix("::ffff:") && address.contains(".") ? String(address.dropFirst(7)) : address
        // All machines of a link share fe80::/64, and ::1 is a single machine.
        guard text.contains(":"), !text.hasPrefix("fe80"), !text.hasPrefix("::") else {
            key = text
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let groups = parts.prefix { !$0.isEmpty }
        let network = (groups + Array(repeating: "0", count: 4)).prefix(4)
        key = network.joined(separator: ":") + "::/64"
    }

    /// How many of `limit` slots may be taken when this client takes one: an eighth is kept for this machine.
    func share(of limit: Int) -> Int { isOfThisMachine || limit < 2 ? limit : limit - max(1, limit / 8) }
}
