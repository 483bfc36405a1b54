package import Foundation
import KinemaCore
import NIOHTTP1
import Synchronization

package struct AccessToken: Sendable {
    /// Characters that need no escape in an address, a cookie or a header.
    package let text: String

    private static let fewestLetters = 12
    /// The least bits of a chosen token: 2^64 tries take half a million years at a million a second.
    private static let leastBits = 64.0

    /// The user's token; throws if it is short, can be guessed or has characters that a cookie cannot have.
    package init(_ text: String) throws {
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        guard isPlain, text.utf8.count >= Self.fewestLetters, text.utf8.count <= 128 else {
            throw KinemaError(
                .invalidArgument,
                "a token must have \(Self.fewestLetters) to 128 letters, digits, dots, hyphens or underscores")
        }
        guard Self.bits(of: Array(text.utf8)) >= Self.leastBits else {
            throw KinemaError(
                .invalidArgument,
                "the token can be guessed, since its characters make less than \(Int(Self.leastBits)) bits; make one "
                    + "with: openssl rand -hex 16")
        }
        self.text = text
    }

    /// The bits of characters drawn at random from the kinds that occur; of a text that repeats itself or counts, only
    /// those of the part that it is made of.
    private static func bits(of text: [UInt8]) -> Double {
        let period = (1...text.count / 2).first { text.dropFirst($0).elementsEqual(text.dropLast($0)) }
        let steps = zip(text.dropFirst(), text).map { Int($0) - Int($1) }
        let turns = zip(steps.dropFirst(), steps).count { $0 != $1 }
        let drawn = turns < text.count / 2 ? turns : period ?? text.count
        let kinds = ["0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "-_."].map {
            Set($0.utf8)
        }
        let isHexadecimal = Set("0123456789abcdef".utf8).isSuperset(of: text)
        let used = kinds.filter { !$0.isDisjoint(with: text) }.reduce(0) { $0 + $1.count }
        return Double(drawn) * log2(Double(isHexadecimal ? min(used, 16) : used))
    }

    /// The token in a file's first line.
    package init(contentsOf file: URL) throws {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            // Long enough for any token; a large file is not read completely.
            let bytes = try handle.read(upToCount: 1_024) ?? Data()
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            try self.init(String(decoding: line, as: UTF8.self))
        } catch let error as KinemaError {
            throw KinemaError(.invalidArgument, "its first line is not a token: \(error.message)", file: file.path)
        } catch {
            throw KinemaError(.unreadableInput, "the token's file cannot be read", file: file.path)
        }
    }

    private init(unchecked text: String) { self.text = text }

    /// 128 random bits.
    package static func random() -> AccessToken { AccessToken(unchecked: RandomID.make()) }

    /// Compares in constant time.
    package func matches(_ word: some StringProtocol) -> Bool {
        let expected = Array(text.utf8)
        let given = Array(word.utf8)
        var difference = UInt(bitPattern: expected.count ^ given.count)
        for (index, byte) in expected.enumerated() {
            difference |= UInt(byte ^ (index < given.count ? given[index] : 0))
        }
        return difference == 0
    }
}

/// Admits one browser, once: other users of the machine can see the address, as they see any command's options.
package final class AccessTicket: Sendable {
    private let token: Mutex<AccessToken?>
    package let text: String

    package init() {
        let token = AccessToken.random()
        text = token.text
        self.token = Mutex(token)
    }

    /// Whether a word is the unused ticket; uses it up.
    func redeem(_ word: some StringProtocol) -> Bool {
        token.withLock { token in
            guard token?.matches(word) == true else { return false }
            token = nil
            return true
        }
    }
}

/// Checks the host, the origin and the token of every request before anything else reads it.
package struct AccessGuard: Sendable {
    /// The cookie with the token. Cookies are shared by all ports of a host, so its name contains the port.
    private let cookieName: String
    private let token: AccessToken?
    private let ticket: AccessTicket?
    private let allowed: [Authority]
    private let ownName: String
    /// The port of a `Host` without one.
    private let standardPort: Int

    package init(_ configuration: StudioConfiguration, port: Int, standardPort: Int = 80) {
        self.standardPort = standardPort
        cookieName = "kinema-token-\(port)"
        token = configuration.token
        ticket = configuration.ticket
        allowed = configuration.allowedHosts.compactMap { Authority($0) }
        ownName = configuration.host.lowercased()
    }

    /// Admits the request or throws the error to answer; `local` is the address and port the client connected to.
    package func check(_ request: StudioRequest, local: (host: String, port: Int)) throws {
        try checkPlace(of: request, local: local)
        try checkToken(of: request)
    }

    /// Checks the host and the origin alone.
    package func checkPlace(of request: StudioRequest, local: (host: String, port: Int)) throws {
        let host = try host(of: request)
        guard isOurs(host, local) else {
            throw HTTPError(
                .misdirectedRequest, "wrong-host",
                "This host name is not allowed; add a proxy's name with --allow-host.", closes: true)
        }
        try checkOrigin(of: request, host)
    }

    // MARK: Host

    /// The one `Host` of a request; none or several may be an attack on a proxy.
    private func host(of request: StudioRequest) throws -> Authority {
        let fields = request.headers["host"]
        guard fields.count == 1, let host = Authority(fields[0]), request.path.first == "/" else {
            throw HTTPError(.badRequest, "bad-request", "A request must have one host and a path.", closes: true)
        }
        return host
    }

    /// A page of another site whose name resolves to this machine (DNS rebinding) sends its own name as `Host`.
    private func isOurs(_ host: Authority, _ local: (host: String, port: Int)) -> Bool {
        let isLoopback = local.host == "::1" || local.host.hasPrefix("127.")
        // A wildcard address is not a name of this host.
        let isEvery = ownName == "0.0.0.0" || ownName == "::"
        let names = [local.host] + (isLoopback ? ["localhost"] : []) + (isEvery ? [] : [ownName])
        if names.contains(host.host) && (host.port ?? standardPort) == local.port { return true }
        return allowed.contains { $0.host == host.host && ($0.port == nil || $0.port == host.port) }
    }

    // MARK: Origin

    private func checkOrigin(of request: StudioRequest, _ host: Authority) throws {
        let foreign = HTTPError(
            .forbidden, "wrong-origin", "Pages of other sites may not use the studio.", closes: true)
        for origin in request.headers["origin"] where !Self.isSame(origin, host) { throw foreign }
        // A request without an origin, such as for a picture, still states whether another site made it.
        if request.isAPI, let site = request.headers.first(name: "sec-fetch-site"), site != "same-origin",
            site != "none"
        {
            throw foreign
        }
    }

    private static func isSame(_ origin: String, _ host: Authority) -> Bool {
        let schemes = [("http://", 80), ("https://", 443)]
        guard let (scheme, port) = schemes.first(where: { origin.hasPrefix($0.0) }),
            let authority = Authority(origin.dropFirst(scheme.count))
        else { return false }
        return authority.without(defaultPort: port) == host.without(defaultPort: port)
    }

    // MARK: Token

    private func checkToken(of request: StudioRequest) throws {
        guard let token else { return }
        if let field = request.headers.first(name: "authorization"), field.lowercased().hasPrefix("bearer ") {
            if token.matches(field.dropFirst(7)) { return }
        } else if request.cookies(cookieName).contains(where: { token.matches($0) }) {
            return
        }
        throw HTTPError(
            .unauthorized, "wrong-token", "The studio needs its token: open the address it printed when it started.",
            fields: ["WWW-Authenticate": "Bearer realm=\"kinema\""])
    }

    /// Whether a request has a token in any form.
    package func bringsToken(_ request: StudioRequest) -> Bool {
        let words = [request.headers.first(name: "authorization"), request.parameter("token")].compactMap(\.self)
        return !(words + request.cookies(cookieName).map(String.init)).allSatisfy(\.isEmpty)
    }

    /// Redirects a browser to the address without the token and sets the cookie, to keep the token out of its history.
    package func signIn(_ request: StudioRequest) -> StudioResponse? {
        guard let token, request.path == "/", request.method == .GET, let word = request.parameter("token"),
            token.matches(word) || ticket?.redeem(word) == true
        else { return nil }
        let isSecure = request.headers.first(name: "x-forwarded-proto") == "https"
        // Relative, and without a path: a proxy may have put the studio into a folder.
        return StudioResponse(
            .seeOther,
            fields: [
                "Location": "./",
                "Set-Cookie": "\(cookieName)=\(token.text); HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : ""),
            ])
    }
}

/// A host with a port, as in `Host`, `Origin` and `--allow-host`.
package struct Authority: Equatable, Sendable {
    /// In lower case, an IPv6 address without its brackets.
    var host: String
    var port: Int?

    /// Parses `name`, `name:port`, `1.2.3.4:port` or `[v6]:port`.
    package init?(_ text: some StringProtocol) {
        let form = /(?:\[([0-9A-Fa-f:.]+)\]|([0-9A-Za-z._-]+))(?::([0-9]+))?/
        guard let match = Substring(text).wholeMatch(of: form), let name = match.1 ?? match.2 else { return nil }
        if let digits = match.3 {
            guard let number = Int(digits), number <= 65_535 else { return nil }
            port = number
        }
        host = name.lowercased()
    }

    func without(defaultPort: Int) -> Authority {
        var copy = self
        if copy.port == defaultPort { copy.port = nil }
        return copy
    }
}
