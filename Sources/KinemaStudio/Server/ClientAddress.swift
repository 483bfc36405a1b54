import NIOCore

struct ClientAddress: Hashable, Sendable {
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
