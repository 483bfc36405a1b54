package import KinemaFormats
package import Foundation
import KinemaCore
package import NIOHTTP1

/// A request's method, path as sent, query and header.
package struct StudioRequest: Sendable {
    package let head: HTTPRequestHead
    package let client: ClientAddress
    /// As sent, undecoded: no path of the studio needs escapes.
    package let path: Substring
    private let query: Substring?

    package init(_ head: HTTPRequestHead, on connection: HTTPConnection) {
        (self.head, client) = (head, connection.client)
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first ?? ""
        query = parts.count > 1 ? parts[1] : nil
    }

    package var method: HTTPMethod { head.method }
    package var headers: HTTPHeaders { head.headers }
    package var isAPI: Bool { path == "/live" || path.hasPrefix("/api/") }

    package var segments: [Substring] {
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 }
    }

    /// Throws unless the request has one of these methods.
    package func allow(_ methods: HTTPMethod...) throws {
        guard methods.contains(method) else {
            throw HTTPError.method(methods.map(\.rawValue).joined(separator: ", "))
        }
    }

    /// Whether the query is valid UTF-8 after unescaping.
    package var hasReadableQuery: Bool { query.map { Self.unescaped($0) != nil } ?? true }

    /// A query parameter, unescaped; nil if absent, empty or not UTF-8.
    package func parameter(_ name: String) -> String? {
        guard let query else { return nil }
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.first == name[...], parts.count == 2, !parts[1].isEmpty else { continue }
            return Self.unescaped(parts[1])
        }
        return nil
    }

    private static func unescaped(_ text: Substring) -> String? {
        text.replacing("+", with: " ").removingPercentEncoding
    }

    /// The values of all cookies of a name: one of another path or a parent domain may come before the studio's.
    package func cookies(_ name: String) -> [Substring] {
        headers["cookie"].flatMap { $0.split(separator: ";") }.compactMap { pair -> Substring? in
            let pair = pair.drop { $0 == " " }
            return pair.hasPrefix(name + "=") ? pair.dropFirst(name.count + 1) : nil
        }
    }

    /// The announced length of the body in bytes; nil for chunks.
    var bodyLength: Int? {
        if let field = headers.first(name: "content-length") { return Int(field) }
        return headers.contains(name: "transfer-encoding") ? nil : 0
    }
}

package struct StudioResponse: Sendable {
    package enum Body: Sendable {
        case none
        case bytes(Data)
        case file(URL, Range<Int>)
        case open(FileHandle, count: Int)
        /// Pieces that are sent as they come, until the stream or the connection ends.
        case events(AsyncStream<Data>)

        package var count: Int {
            switch self {
            case .none, .events: 0
            case .bytes(let data): data.count
            case .file(_, let range): range.count
            case .open(_, let count): count
            }
        }
    }

    package var status: HTTPResponseStatus
    package var headers = HTTPHeaders()
    package var body = Body.none
    package var closes = false
    /// The permit used to make it, held until it is sent.
    package var permit: ConcurrencyLimiter.Permit?

    package init(_ status: HTTPResponseStatus, fields: [String: String] = [:], body: Body = .none) {
        (self.status, self.body) = (status, body)
        for (name, value) in fields { headers.add(name: name, value: value) }
    }

    package static func json(_ data: Data, status: HTTPResponseStatus = .ok) -> StudioResponse {
        StudioResponse(status, fields: ["Content-Type": "application/json; charset=utf-8"], body: .bytes(data))
    }

    package init(_ file: ExportedFile) { self.init(saved: file.name, type: file.mediaType, body: .bytes(file.bytes)) }

    package init(saved name: String, type: String, body: Body) {
        self.init(.ok, body: body)
        headers.add(name: "Content-Type", value: type)
        headers.add(name: "Content-Disposition", value: "attachment; filename=\"\(Self.plain(name))\"")
    }

    private static func plain(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" })
    }

    /// A page for a person who opened an address without the token.
    package static func tokenNeeded(_ error: HTTPError) -> StudioResponse {
        let nonce = RandomID.make()
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Kinema studio</title><style nonce="\(nonce)">
            :root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
            body { display: grid; min-height: 90vh; margin: 0 auto; max-width: 36rem; padding: 1.5rem; align-content: center; }
            section + section { margin-top: 2rem; border-top: 1px solid #8888; padding-top: 1rem; }
            h1 { font-size: 1.5rem; line-height: 1.2; } code { overflow-wrap: anywhere; }
            </style><main>
            <section><h1>The studio needs its token</h1>
            <p>Open the address that the studio printed when it started; it ends in <code>?token=…</code>. It is in the
            window in which <code>kinema studio</code> runs, and each start has a new one unless you set
            <code>--token-file</code>.</p></section>
            <section lang="de"><h1>Das Studio braucht sein Token</h1>
            <p>Öffne die Adresse, die das Studio beim Start ausgegeben hat; sie endet mit <code>?token=…</code>. Sie steht im
            Fenster, in dem <code>kinema studio</code> läuft, und jeder Start hat eine neue, wenn du
            <code>--token-file</code> nicht setzt.</p></section></main></html>

            """
        var response = StudioResponse(error.status, fields: error.fields, body: .bytes(Data(page.utf8)))
        response.headers.add(name: "Content-Type", value: ContentType.of("index.html"))
        response.headers.add(
            name: "Content-Security-Policy",
            value:
                "default-src 'none'; style-src 'nonce-\(nonce)'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        return response
    }

    package init(_ error: HTTPError) {
        self = .json(ErrorBody(code: error.code, message: error.message, limit: error.limit).body, status: error.status)
        closes = error.closes
        for (name, value) in error.fields { headers.add(name: name, value: value) }
    }
}

package enum RandomID {
    /// 128 random bits in 32 hexadecimal digits.
    package static func make() -> String {
        (0..<16).map { _ in String(format: "%02x", UInt8.random(in: .min ... .max)) }.joined()
    }

    static func isOne(_ name: some StringProtocol) -> Bool {
        name.utf8.count == 32 && name.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    }
}
