internal import KinemaCore

/// Where a stream is: an `rtsp://`, `rtsps://`, `http://` or `https://` address.
///
/// It may hold a user's name and password; they are sent to the server and shown nowhere, neither in `description` nor in
/// messages and identifiers.
public struct StreamAddress: Hashable, Sendable, CustomStringConvertible {
    /// How the pictures of an RTSP stream travel.
    public enum Transport: String, Hashable, Sendable, CaseIterable, Codable {
        /// Within the connection itself: nothing is lost.
        case tcp
        /// Packet by packet: for servers that offer nothing else.
        case udp
    }

    /// Whose word is taken for who the server of an `https:` or `rtsps:` address is.
    public enum Trust: Hashable, Sendable {
        /// The certificate has to be of that host and signed by an authority in this file (PEM); without one by those in
        /// the file that `SSL_CERT_FILE` names, or by the system's.
        case authorities(file: String?)
        /// Any certificate is taken, as of cameras that sign their own: whoever is in between can read the password.
        case anyone
    }

    /// Which machines an address may lead to, itself, by a redirection or by a playlist.
    package enum Reach: Hashable, Sendable {
        case anywhere
        /// Public addresses of the Internet, and those named here. Names are resolved once, and what was looked at is what
        /// is connected to.
        case publicAddresses(and: Set<NetworkAddress> = [])
    }

    /// How the pictures of an RTSP stream travel; of no effect on HTTP.
    public var transport: Transport
    /// Whose word is taken for who the server is; the system's authorities' where nothing else is said.
    public var trust = Trust.authorities(file: nil)
    /// Which machines it may lead to.
    package var reach = Reach.anywhere
    /// The address as given, with the password in it.
    let address: String
    let scheme: String

    /// The longest address FFmpeg takes whole is 4096 bytes (MAX_URL_SIZE), with its own options.
    private static let longest = 2048

    /// Takes an address.
    ///
    /// Throws `invalidArgument` for other schemes, for addresses without a host, and for those that hold spaces or
    /// control characters.
    public init(_ address: String, transport: Transport = .tcp) throws {
        self.address = address
        self.transport = transport
        scheme = String(address.prefix { $0 != ":" }).lowercased()
        guard ["rtsp", "rtsps", "http", "https"].contains(scheme), address.dropFirst(scheme.count).hasPrefix("://")
        else {
            throw KinemaError(
                .invalidArgument,
                "addresses begin with rtsp://, rtsps://, http:// or https://; give one of these, or a file",
                file: "\(scheme.prefix(16))://…")
        }
        // A line's end within an address would end the request's first line.
        let isPlain = address.utf8.allSatisfy { $0 > 32 && $0 != 127 }
        guard isPlain, address.utf8.count <= Self.longest, !host.isEmpty else {
            throw KinemaError(
                .invalidArgument,
                "the address has no host, holds spaces or control characters, or is longer than \(Self.longest) bytes; "
                    + "write spaces as %20", file: "\(scheme)://…")
        }
    }

    /// Whether the frames come in their own time whatever the server holds: of HTTP that shows when it is opened.
    var isRTSP: Bool { scheme.hasPrefix("rtsp") }

    /// Whether the address names a playlist (HLS).
    var isPlaylist: Bool {
        let path = afterScheme.prefix { $0 != "?" && $0 != "#" }.lowercased()
        return path.hasSuffix(".m3u8") || path.hasSuffix(".m3u")
    }

    /// Whether the connection is encrypted, so that the server has to say who it is.
    var isEncrypted: Bool { scheme == "https" || scheme == "rtsps" }

    private var afterScheme: Substring { address.dropFirst(scheme.count + 3) }
    private var authority: Substring { afterScheme.prefix { !"/?#".contains($0) } }
    /// The host, with the port where one is named.
    private var host: Substring { authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "" }
    /// The user and the password, with the "@" behind them; empty without.
    private var user: Substring { authority.dropLast(host.count) }

    /// The host's name or number, without the brackets of IPv6.
    var hostName: String {
        host.hasPrefix("[") ? String(host.dropFirst().prefix { $0 != "]" }) : String(host.prefix { $0 != ":" })
    }

    /// The port, that of the scheme where none is named.
    var port: Int {
        let rest = host.hasPrefix("[") ? host.drop { $0 != "]" }.dropFirst() : host.drop { $0 != ":" }
        return Int(rest.dropFirst()) ?? ["rtsp": 554, "rtsps": 322, "https": 443][scheme] ?? 80
    }

    /// What comes behind the host, "/" at least.
    var pathAndQuery: String {
        let rest = afterScheme.dropFirst(authority.count)
        return rest.hasPrefix("/") ? String(rest) : "/" + rest
    }

    /// The same stream at another machine, by plain RTSP.
    func carried(to host: String, port: Int) -> String {
        let place = host.contains(":") ? "[\(host)]" : host
        return "rtsp://\(user)\(place):\(port)\(afterScheme.dropFirst(authority.count))"
    }

    /// Where a server of RTSP sends on to; the password goes along only to the same host and not out of encryption.
    func redirected(to target: String) throws -> StreamAddress {
        var next = try StreamAddress(target, transport: transport)
        guard next.isRTSP else { throw KinemaError.unreachable(description, 0) }
        if next.user.isEmpty, next.hostName == hostName, next.isEncrypted || !isEncrypted {
            let place = next.afterScheme
            next = try StreamAddress("\(next.scheme)://\(user)\(place)", transport: transport)
        }
        (next.trust, next.reach) = (trust, reach)
        return next
    }

    /// The address without what may be secret: no user, no password, nothing of a query, no `name=value` in the path.
    public var description: String {
        let rest = afterScheme.dropFirst(authority.count)
        // A password with a slash in it, which cannot be told from a path.
        guard !rest.contains("@") else { return "\(scheme)://…" }
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { $0.contains("=") ? "…" : $0 }
        let query = rest.count > path.count ? "?…" : ""
        return "\(scheme)://\(host)\(parts.joined(separator: "/"))\(query)"
    }
}
