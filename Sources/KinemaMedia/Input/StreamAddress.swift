internal import KinemaCore

/// The address of a stream: `rtsp://`, `rtsps://`, `http://` or `https://`.
///
/// The user name and password never appear in `description`, messages or identifiers.
public struct StreamAddress: Hashable, Sendable, CustomStringConvertible {
    /// The transport of an RTSP stream's frames.
    package enum Transport: String, Hashable, Sendable, CaseIterable, Codable {
        /// Inside the RTSP connection: nothing is lost.
        case tcp
        /// Packet by packet, for servers that offer nothing else.
        case udp
    }

    /// The accepted certificates of the server of an `https:` or `rtsps:` address.
    package enum Trust: Hashable, Sendable {
        /// A certificate for the host by an authority in this file (PEM), in `SSL_CERT_FILE`, or the system's.
        case authorities(file: String?)
        /// Any certificate, for cameras that sign their own. Anyone between here and there can read the password.
        case anyone
    }

    /// The machines that an address may lead to, also by redirects and playlists.
    package enum Reach: Hashable, Sendable {
        case anywhere
        /// Public Internet addresses and those listed. A name is resolved once, and only the checked address is used.
        case publicAddresses(and: Set<NetworkAddress> = [])
    }

    /// The transport of an RTSP stream's frames; no effect on HTTP.
    package var transport: Transport
    /// The accepted certificates; by default those that the system trusts.
    package var trust = Trust.authorities(file: nil)
    package var reach = Reach.anywhere
    /// The address as given, including the password.
    let address: String
    let scheme: String

    /// FFmpeg takes at most 4096 bytes (MAX_URL_SIZE), including its own options.
    private static let maximumLength = 2048

    /// Parses an address; throws `invalidArgument` for other schemes, a missing host, and spaces or control characters.
    package init(_ address: String, transport: Transport = .tcp) throws {
        (self.address, self.transport) = (address, transport)
        scheme = String(address.prefix { $0 != ":" }).lowercased()
        guard ["rtsp", "rtsps", "http", "https"].contains(scheme), address.dropFirst(scheme.count).hasPrefix("://")
        else {
            throw KinemaError(
                .invalidArgument,
                "addresses begin with rtsp://, rtsps://, http:// or https://; give one of these or a file",
                file: "\(scheme.prefix(16))://…")
        }
        // A line break in an address would end the request's first line.
        let isPlain = address.utf8.allSatisfy { $0 > 32 && $0 != 127 } && !address.contains(where: Self.hidesDelimiter)
        guard isPlain, address.utf8.count <= Self.maximumLength, !host.isEmpty else {
            throw KinemaError(
                .invalidArgument,
                "the address has no host, contains spaces or control characters, or is longer than "
                    + "\(Self.maximumLength) bytes; write spaces as %20", file: "\(scheme)://…")
        }
    }

    /// Whether a delimiter is combined with a mark: Swift would miss it, and FFmpeg would connect to an unchecked host.
    private static func hidesDelimiter(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        return scalars.count > 1 && scalars.contains { ":/?#[]@".unicodeScalars.contains($0) }
    }

    /// Whether the address is RTSP, which is always live.
    var isRTSP: Bool { scheme.hasPrefix("rtsp") }

    /// Whether the address names a playlist (HLS).
    var isPlaylist: Bool {
        let path = afterScheme.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
    }

    /// Whether the connection is encrypted and the server must prove its identity.
    var isEncrypted: Bool { scheme == "https" || scheme == "rtsps" }

    private var afterScheme: Substring { address.dropFirst(scheme.count + 3) }
    private var authority: Substring { afterScheme.prefix { !"/?#".contains($0) } }
    private var host: Substring { authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "" }
    /// The user and password with the "@" after them; empty without.
    private var user: Substring { authority.dropLast(host.count) }

    /// The host's name or number, without the brackets of IPv6.
    var hostName: String {
        host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : String(host.prefix { $0 != ":" })
    }

    /// The port; the scheme's default if none is given.
    var port: Int {
        let rest = host.hasPrefix("[") ? host.drop { $0 != "]" }.dropFirst() : host.drop { $0 != ":" }
        return Int(rest.dropFirst()) ?? ["rtsp": 554, "rtsps": 322, "https": 443][scheme] ?? 80
    }

    /// The path and query; at least "/".
    var pathAndQuery: String {
        let rest = afterScheme.dropFirst(authority.count)
        return rest.hasPrefix("/") ? String(rest) : "/" + rest
    }

    /// The same stream on another machine, over plain RTSP.
    func forwarded(to host: String, port: Int) -> String {
        let hostText = host.contains(":") ? "[\(host)]" : host
        return "rtsp://\(user)\(hostText):\(port)\(afterScheme.dropFirst(authority.count))"
    }

    /// The target of an RTSP redirect; the password goes only to the same host, and never to a plain connection.
    func redirected(to target: String) throws -> StreamAddress {
        var next = try StreamAddress(target, transport: transport)
        guard next.isRTSP else { throw KinemaError.unreachable(description, 0) }
        if next.user.isEmpty, next.hostName == hostName, next.isEncrypted || !isEncrypted {
            let rest = next.afterScheme
            next = try StreamAddress("\(next.scheme)://\(user)\(rest)", transport: transport)
        }
        (next.trust, next.reach) = (trust, reach)
        return next
    }

    /// The address without possible secrets: no user, password or query, and no `name=value` in the path.
    public var description: String {
        let rest = afterScheme.dropFirst(authority.count)
        // An "@" here may belong to a password with a slash.
        guard !rest.contains("@") else { return "\(scheme)://…" }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { $0.contains("=") ? "…" : $0 }
        let query = rest.count > path.count ? "?…" : ""
        return "\(scheme)://\(host)\(parts.joined(separator: "/"))\(query)"
    }
}
