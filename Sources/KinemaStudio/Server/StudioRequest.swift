import Foundation
package import NIOHTTP1

/// A request's method, path as sent, query and header.
package struct StudioRequest: Sendable {
    let head: HTTPRequestHead
    let client: ClientAddress
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
    var headers: HTTPHeaders { head.headers }
    var isAPI: Bool { path == "/live" || path.hasPrefix("/api/") }

    var segments: [Substring] { path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 } }

    /// Whether the query is valid UTF-8 after unescaping.
    var hasReadableQuery: Bool { query.map { Self.unescaped($0) != nil } ?? true }

    /// A query parameter, unescaped; nil if absent, empty or not UTF-8.
    func parameter(_ name: String) -> String? {
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
    func cookies(_ name: String) -> [Substring] {
        headers["cookie"].flatMap { field in
            field.split(separator: ";").map { pair in pair.drop { $0 == " " } }
                .filter { $0.hasPrefix(name + "=") }.map { $0.dropFirst(name.count + 1) }
        }
    }

    /// The announced length of the body in bytes; nil for chunks.
    var bodyLength: Int? {
        if let field = headers.first(name: "content-length") { return Int(field) }
        return headers.contains(name: "transfer-encoding") ? nil : 0
    }
}
