import Foundation
package import KinemaHTTP
import NIOHTTP1

/// Who makes a request.
package enum Caller: Sendable {
    /// The owner's page, or a program with the owner's token.
    case owner
    case phone(Phone)
    /// Somebody who has not been paired: only what is the same for everyone.
    case stranger

    package var phone: Phone? { if case .phone(let phone) = self { phone } else { nil } }
}

/// Checks requests to the phones' listener: the host, the origin, the phone's cookie, and what this phone may do.
package struct PhoneGuard: Sendable {
    private let place: AccessGuard
    private let registry: PhoneRegistry
    /// Cookies are shared by all ports of a host, so the name contains the port.
    let cookieName: String

    init(_ registry: PhoneRegistry, names: [String], port: Int) {
        var configuration = StudioConfiguration()
        configuration.host = "0.0.0.0"
        configuration.allowedHosts = names.flatMap { port == 443 ? [$0, "\($0):443"] : ["\($0):\(port)"] }
        place = AccessGuard(configuration, port: port, standardPort: 443)
        self.registry = registry
        cookieName = "kinema-phone-\(port)"
    }

    /// Admits the request or throws the error to answer; `local` is the address and port the client connected to.
    package func admit(_ request: StudioRequest, local: (host: String, port: Int)) throws -> Caller {
        try place.checkPlace(of: request, local: local)
        // This listener has no page without TLS.
        if request.headers["origin"].contains(where: { $0.hasPrefix("http://") }) {
            throw HTTPError(.forbidden, "wrong-origin", "Pages of other sites may not use the studio.", closes: true)
        }
        for cookie in request.cookies(cookieName) {
            guard let phone = registry.phone(withCookie: cookie) else { continue }
            try Self.check(phone, request)
            return .phone(phone)
        }
        guard Self.isPublic(request) else { throw Self.unknown }
        return .stranger
    }

    /// Whether a request tries to be admitted, so that wrong tries are slowed down.
    package func bringsToken(_ request: StudioRequest) -> Bool {
        !request.cookies(cookieName).allSatisfy(\.isEmpty) || request.path == "/api/pair"
    }

    static let unknown = HTTPError(
        .unauthorized, "wrong-token", "This phone is not paired: scan the code that the studio shows.")
    package static let ownerOnly = HTTPError(
        .forbidden, "owner-only", "Only the studio's own page can do this.")

    // MARK: Rules

    /// Pages that anyone on the network may load; they show nothing without a cookie.
    private static let publicPages: Set<Substring> = ["/", "/phone", "/phone.html", "/now", "/now.html"]

    static func isPublic(_ request: StudioRequest) -> Bool {
        if request.path == "/api/pair" { return request.method == .POST }
        guard !request.isAPI, request.method == .GET || request.method == .HEAD else { return false }
        return publicPages.contains(request.path) || !isPage(request.path)
    }

    private static func isPage(_ path: Substring) -> Bool { path.hasSuffix(".html") || path == "/room" }

    /// Throws unless the phone may do this.
    static func check(_ phone: Phone, _ request: StudioRequest) throws(HTTPError) {
        let isReading = request.method == .GET || request.method == .HEAD
        guard request.isAPI else {
            let pages: Set<Substring> =
                publicPages.union(phone.mayReadHistory ? ["/review.html", "/history.html"] : ["/review.html"])
            guard isReading, pages.contains(request.path) || !isPage(request.path) else { throw ownerOnly }
            return
        }
        let segments = request.segments.map(String.init)
        let isAllowed =
            switch segments.dropFirst().first ?? "" {
            case "": request.path == "/live"
            case "pair", "phone", "live": true
            case "status": isReading
            // Their names, which the status has too; what was taught is the history's.
            case "exercises": isReading && (segments.count == 2 || phone.mayReadHistory)
            case "room": isReading && segments.count > 2 && segments[2] == "now"
            case "people": isReading && phone.mayReadHistory
            case "history":
                isReading
                    ? mayRead(phone, Array(segments.dropFirst(2)))
                    : mayFilm(phone, request, Array(segments.dropFirst(2)))
            default: false
            }
        guard isAllowed else { throw ownerOnly }
    }

    /// Its own sessions; with the owner's permission the list and the others, but no archives of everything.
    private static func mayRead(_ phone: Phone, _ rest: [String]) -> Bool {
        guard let first = rest.first else { return phone.mayReadHistory }
        guard let id = UUID(uuidString: first) else { return false }
        return phone.mayReadHistory || phone.sessions.contains(id)
    }

    /// The film of a set that it recorded.
    private static func mayFilm(_ phone: Phone, _ request: StudioRequest, _ rest: [String]) -> Bool {
        request.method == .PUT && rest.count == 2 && rest[1] == "video"
            && UUID(uuidString: rest[0]).map(phone.sessions.contains) == true
    }
}
