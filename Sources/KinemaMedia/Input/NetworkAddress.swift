import Foundation

/// An IP address: four bytes of IPv4 or sixteen of IPv6.
package struct NetworkAddress: Hashable, Sendable {
    /// The bytes in network order.
    package let bytes: [UInt8]

    /// Takes the bytes; an IPv4-mapped IPv6 address (::ffff:a.b.c.d) becomes IPv4.
    package init(_ bytes: [UInt8]) {
        let isMapped = bytes.count == 16 && bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// Networks outside the public Internet: IANA's special-purpose registries (RFC 6890 and updates) and multicast.
    private static let nonPublicIPv4: [(prefix: [UInt8], bits: Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
        ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
        ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]

    /// IPv6 networks within 2000::/3 that are not public: tunnels (Teredo, 6to4), protocols, documentation.
    private static let nonPublicIPv6: [(prefix: [UInt8], bits: Int)] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x20, 0x02], 16), ([0x3F, 0xFF], 20),
    ]

    /// Whether the address is a single machine on the Internet: not this one, none on a local network, no multicast.
    package var isPublic: Bool {
        switch bytes.count {
        case 4: return !Self.nonPublicIPv4.contains { isWithin($0.prefix, $0.bits) }
        case 16:
            // NAT64 (RFC 6052): the last four bytes are the machine.
            if isWithin([0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96) {
                return NetworkAddress(Array(bytes.suffix(4))).isPublic
            }
            return isWithin([0x20], 3) && !Self.nonPublicIPv6.contains { isWithin($0.prefix, $0.bits) }
        default: return false
        }
    }

    package var text: String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2).map { String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }

    private func isWithin(_ prefix: [UInt8], _ bits: Int) -> Bool {
        (0..<(bits + 7) / 8).allSatisfy { index in
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> min(bits - index * 8, 8))
            let wanted = index < prefix.count ? prefix[index] : 0
            return bytes[index] & mask == wanted & mask
        }
    }
}

/// The machines that may be connected to: those on the Internet, those listed, and one host by name.
struct NetworkReach: Sendable {
    var others: Set<NetworkAddress>
    /// The name of the one machine that may have any address.
    var ownHost: String?

    enum Refusal: Error {
        case forbidden
        /// With FFmpeg's error code.
        case unreachable(Int32)
    }

    init(allowing others: Set<NetworkAddress>) { self.others = others }

    /// The reach of an address: its own machine, anywhere, and others on the Internet, unless its own reach is smaller.
    init(of address: StreamAddress) {
        switch address.reach {
        case .anywhere: (others, ownHost) = ([], address.hostName)
        case .publicAddresses(let others): self.others = others
        }
    }

    /// The allowed endpoints that a name resolves to, and whether there are others.
    func endpoints(of name: String, port: Int) -> (allowed: [TCPSocketHandle.Endpoint], isKnown: Bool) {
        let all = TCPSocketHandle.resolve(name, port: port)
        let own = ownHost.map { TCPSocketHandle.resolve($0, port: port).map(\.address) } ?? []
        let allowed = all.filter {
            $0.address.isPublic || name == ownHost || own.contains($0.address) || others.contains($0.address)
        }
        return (allowed, !all.isEmpty)
    }

    func connect(to name: String, port: Int, _ lifetime: InterruptHandle) -> Result<TCPSocketHandle, Refusal> {
        let (endpoints, isKnown) = endpoints(of: name, port: port)
        guard !endpoints.isEmpty else { return .failure(isKnown ? .forbidden : .unreachable(-EHOSTUNREACH)) }
        var code = -ETIMEDOUT
        for endpoint in endpoints {
            if let connection = TCPSocketHandle.connect(endpoint, lifetime, &code) { return .success(connection) }
        }
        return .failure(.unreachable(code))
    }
}

package enum TrustedAuthorities {
    /// The paths of certificates in Linux distributions: Debian, Fedora, openSUSE.
    private static let ofSystem = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    ]

    /// The authorities' file: the given one, that in `SSL_CERT_FILE`, or the system's.
    package static func file(_ named: String? = nil) -> String? {
        let named = named ?? ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        return named ?? ofSystem.first { FileManager.default.isReadableFile(atPath: $0) }
    }
}
