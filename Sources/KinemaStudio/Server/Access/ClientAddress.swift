import NIOCore

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
