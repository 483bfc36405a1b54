import NIOHTTP1

/// Checks the host, the origin and the token of every request before anything else reads it.
package struct AccessGuard: Sendable {
    /// The cookie with the token. Cookies are shared by all ports of a host, so its name contains the port.
    private let cookieName: String
    private let token: AccessToken?
    private let ticket: AccessTicket?
    private let allowed: [Authority]
    private let ownName: String

    package init(_ configuration: StudioConfiguration, port: Int) {
        cookieName = "kinema-token-\(port)"
        token = configuration.token
        ticket = configuration.ticket
        allowed = configuration.allowedHosts.compactMap { Authority($0) }
        ownName = configuration.host.lowercased()
    }

    /// Admits the request or throws the error to answer; `local` is the address and port the client connected to.
    package func check(_ request: StudioRequest, local: (host: String, port: Int)) throws {
        let host = try host(of: request)
        guard isOurs(host, local) else {
            throw HTTPError(
                .misdirectedRequest, "wrong-host",
                "This host name is not allowed; add a proxy's name with --allow-host.", closes: true)
        }
        try checkOrigin(of: request, host)
        try checkToken(of: request)
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
        if names.contains(host.host) && (host.port ?? 80) == local.port { return true }
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
    func bringsToken(_ request: StudioRequest) -> Bool {
        let words = [request.headers.first(name: "authorization"), request.parameter("token")].compactMap(\.self)
        return !(words + request.cookies(cookieName).map(String.init)).allSatisfy(\.isEmpty)
    }

    /// Redirects a browser to the address without the token and sets the cookie, to keep the token out of its history.
    func signIn(_ request: StudioRequest) -> StudioResponse? {
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
