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

    /// How the pictures of an RTSP stream travel; of no effect on HTTP.
    public var transport: Transport
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

    private var afterScheme: Substring { address.dropFirst(scheme.count + 3) }
    private var authority: Substring { afterScheme.prefix { !"/?#".contains($0) } }
    private var host: Substring { authority.split(separator: "@", omittingEmptySubsequences: false).last ?? "" }

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
