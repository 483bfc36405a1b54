package import Foundation
import KinemaCore
import NIOCore
import Synchronization

/// The secret that a client has to send.
package struct AccessToken: Sendable {
    /// The token itself; letters that need no escape in an address, a cookie or a header.
    package let text: String

    /// Fewer letters could be guessed by trying.
    private static let fewestLetters = 12

    /// A token of the user's own; throws when it is short or holds letters that a cookie cannot carry.
    package init(_ text: String) throws {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isPlain, text.utf8.count >= Self.fewestLetters, text.utf8.count <= 128 else {
            throw KinemaError(
                .invalidArgument,
                "a token has \(Self.fewestLetters) to 128 letters, digits, dots, hyphens or underscores")
        }
        self.text = text
    }

    /// The token in a file's first line; throws when it cannot be read or is none.
    package init(contentsOf file: URL) throws {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            // Enough for any token with an end of its line; a wrong file is not read to its end.
            let bytes = try handle.read(upToCount: 1_024) ?? Data()
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            try self.init(String(decoding: line, as: UTF8.self))
        } catch let error as KinemaError {
            throw KinemaError(.invalidArgument, "its first line is no token: \(error.message)", file: file.path)
        } catch {
            throw KinemaError(.unreadableInput, "the token's file cannot be read", file: file.path)
        }
    }

    private init(unchecked text: String) { self.text = text }

    /// A fresh one of 128 random bits.
    package static func random() -> AccessToken { AccessToken(unchecked: RandomID.make()) }

    /// Whether a client's word is the token, in a time that says nothing about how much of it is right.
    func matches(_ word: some StringProtocol) -> Bool {
        let expected = Array(text.utf8)
        let given = Array(word.utf8)
        var difference = UInt(bitPattern: expected.count ^ given.count)
        for (index, byte) in expected.enumerated() {
            difference |= UInt(byte ^ (index < given.count ? given[index] : 0))
        }
        return difference == 0
    }
}

/// Admits one browser, once. Other users of the machine may see the address it is part of, as they see any command's
/// options; after its use it is worth nothing.
package final class AccessTicket: Sendable {
    private let token: Mutex<AccessToken?>
    /// What stands in the address.
    package let text: String

    /// A fresh one.
    package init() {
        let token = AccessToken.random()
        text = token.text
        self.token = Mutex(token)
    }

    /// Whether a client's word is the ticket; it is used up then.
    func redeem(_ word: some StringProtocol) -> Bool {
        token.withLock { token in
            guard token?.matches(word) == true else { return false }
            token = nil
            return true
        }
    }
}

/// Counts wrong tokens by address: each doubles the delay of the answer, and now and then a line reports them.
struct FailedTokens: Sendable {
    private struct Sender {
        var count = 0
        /// Seconds.
        var last: Double
    }

    private let limits: StudioLimits
    private var senders: [String: Sender] = [:]
    private var unreported = 0
    private var lastReport: Double?

    init(limits: StudioLimits) { self.limits = limits }

    /// Counts a wrong token, at a time in seconds on a clock that only rises; returns the delay of its answer and, when
    /// it is time for a report, how many there were since the last.
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

    private func delay(_ count: Int) -> Duration {
        // After twenty doublings it is at its maximum in any case.
        min(limits.wrongTokenDelay * (1 << min(count - 1, 20)), limits.wrongTokenMaximumDelay)
    }

    /// One line for the person who runs the studio; text from a client or its proxy is cleaned and cut.
    static func line(_ count: Int, from client: ClientAddress, forwardedFor: String?) -> Diagnostic {
        let proxied = forwardedFor.map { " (for \(PlainText.name($0, atMost: 64)))" } ?? ""
        return Diagnostic(
            "access.wrong-token",
            PlainText.counted(count, "wrong token") + (count == 1 ? "" : ", the last")
                + " from \(client.text)\(proxied)")
    }
}

/// Delays the answers to wrong tokens, for all connections together.
final class AuthenticationThrottle: Sendable {
    private let failures: Mutex<FailedTokens>

    init(limits: StudioLimits) { failures = Mutex(FailedTokens(limits: limits)) }

    /// Counts a wrong token now; see `FailedTokens.record`.
    func recordFailure(of client: ClientAddress) -> (delay: Duration, reported: Int?) {
        failures.withLock { $0.record(client, at: Double(NIODeadline.now().uptimeNanoseconds) / 1e9) }
    }
}

/// Where a connection comes from, as far as it tells one client from another.
struct ClientAddress: Hashable, Sendable {
    /// The address for people.
    let text: String
    /// What counts as one client: an address, of IPv6 the network (/64) that one machine has to itself.
    let key: String

    init(_ address: SocketAddress?) {
        self.init(address?.ipAddress ?? "")
    }

    /// Reads an address as `inet_ntop` writes it.
    init(_ address: String) {
        // An IPv4 client of a listener for both kinds.
        text = address.hasPrefix("::ffff:") && address.contains(".") ? String(address.dropFirst(7)) : address
        // On a link everyone shares the network fe80::/64, and what is written in few groups (::1) is a single machine.
        guard text.contains(":"), !text.hasPrefix("fe80"), !text.hasPrefix("::") else {
            key = text
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let groups = parts.prefix { !$0.isEmpty }
        let network = (groups + Array(repeating: "0", count: 4)).prefix(4)
        key = network.joined(separator: ":") + "::/64"
    }
}
