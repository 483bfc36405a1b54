import Foundation
import KinemaCore

/// A proxy inside this process through which FFmpeg fetches HTTP streams.
///
/// Every redirect and playlist entry passes through it. A name is resolved once, and only allowed machines are
/// connected to. FFmpeg alone would follow a server to any address and resolve the name anew each time.
final class StreamProxy: Sendable {
    /// The port on the loopback interface.
    let port: Int
    private let reach: NetworkReach
    private let lifetime: InterruptHandle
    /// Told how each connection went: 0, or FFmpeg's error code.
    private let onOutcome: @Sendable (Int32) -> Void

    /// The size limit of a request's head: twice FFmpeg's longest address (MAX_URL_SIZE).
    private static let headBytes = 8_192

    /// Listens until `lifetime` ends.
    init(
        _ reach: NetworkReach, _ lifetime: InterruptHandle, onOutcome: @escaping @Sendable (Int32) -> Void = { _ in }
    ) throws(KinemaError) {
        guard let (listener, port) = TCPSocketHandle.listener(lifetime) else {
            throw KinemaError(.unsupported, "no port is free on this machine; close other programs")
        }
        (self.port, self.reach, self.lifetime, self.onOutcome) = (port, reach, lifetime, onOutcome)
        // Hosts listed in this variable would bypass any proxy.
        unsetenv("no_proxy")
        let thread = Thread { [self] in
            while let client = listener.accept() {
                let thread = Thread { self.serve(client) }
                thread.name = "kinema.proxy"
                thread.start()
            }
        }
        thread.name = "kinema.proxy"
        thread.start()
    }

    private func serve(_ client: TCPSocketHandle) {
        defer { client.shutDown() }
        guard let (head, rest) = Self.head(of: client), let request = Request(head) else { return }
        let server: TCPSocketHandle
        switch reach.connect(to: request.host, port: request.port, lifetime) {
        case .success(let connection):
            onOutcome(0)
            server = connection
        case .failure(.forbidden):
            _ = client.write(Self.answer("403 Forbidden"))
            return
        case .failure(.unreachable(let code)):
            onOutcome(code)
            _ = client.write(Self.answer("502 Bad Gateway"))
            return
        }
        let isOpen =
            request.forwarded.map { server.write(Array($0.utf8) + rest) } ?? client.write(Self.answer("200 OK"))
        if isOpen { client.relay(to: server) }
    }

    private static func answer(_ status: String) -> [UInt8] { Array("HTTP/1.1 \(status)\r\n\r\n".utf8) }

    /// Reads the request's head up to its empty line; nil if it never arrives.
    private static func head(of client: TCPSocketHandle) -> (head: String, rest: [UInt8])? {
        var bytes: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        while bytes.count <= headBytes, let more = client.read() {
            bytes += more
            if let range = bytes.firstRange(of: end) {
                return (String(decoding: bytes[..<range.lowerBound], as: UTF8.self), Array(bytes[range.upperBound...]))
            }
        }
        return nil
    }

    /// A request from FFmpeg: a tunnel for an encrypted connection, or a plain address.
    struct Request {
        var host: String
        var port: Int
        /// The head to send to the server; nil for a tunnel.
        var forwarded: String?

        /// Parses a head without its final empty line; nil for anything FFmpeg never sends.
        init?(_ head: String) {
            let lines = head.components(separatedBy: "\r\n")
            let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
            let isTunnel = words[0] == "CONNECT"
            guard let address = try? StreamAddress(isTunnel ? "https://\(words[1])" : String(words[1])) else {
                return nil
            }
            (host, port) = (address.hostName, address.port)
            if isTunnel { return }
            guard address.scheme == "http" else { return nil }
            let fields = lines.dropFirst().filter { !$0.lowercased().hasPrefix("proxy-") }
            forwarded =
                (["\(words[0]) \(address.pathAndQuery) \(words[2])"] + fields + ["", ""]).joined(separator: "\r\n")
        }
    }
}

/// Which machines may be connected to: those of the Internet, those named, and one whose name was given.
struct NetworkReach: Sendable {
    var others: Set<NetworkAddress>
    /// The name of the machine that may be anywhere, under any name.
    var ownHost: String?

    enum Refusal: Error {
        case forbidden
        /// With FFmpeg's error code.
        case unreachable(Int32)
    }

    init(allowing others: Set<NetworkAddress>) {
        self.others = others
    }

    /// Where an address may lead: to its own machine, wherever that is, and to others of the Internet, unless its own reach
    /// says less.
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

    /// Connects to the first allowed endpoint that answers.
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

/// An IP address: four bytes of IPv4 or sixteen of IPv6.
package struct NetworkAddress: Hashable, Sendable {
    /// The bytes in network order.
    package let bytes: [UInt8]

    /// Takes the bytes; an IPv4-mapped IPv6 address (::ffff:a.b.c.d) becomes IPv4.
    package init(_ bytes: [UInt8]) {
        let isMapped = bytes.count == 16 && bytes.starts(with: [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
        self.bytes = isMapped ? Array(bytes.suffix(4)) : bytes
    }

    /// Networks outside the public Internet: the IANA special-purpose registries (RFC 6890 and its updates) and
    /// multicast.
    private static let nonPublicIPv4: [(prefix: [UInt8], bits: Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
        ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
        ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]

    /// IPv6 networks that lead elsewhere although they are global unicast (2000::/3): tunnels to IPv4 (Teredo, 6to4),
    /// protocol assignments, documentation.
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

    /// The address as text.
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
