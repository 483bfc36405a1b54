import Foundation
import NIOHTTP1

/// What a client asks for: the method, the path as it was sent, the query, the header.
struct StudioRequest: Sendable {
    let head: HTTPRequestHead
    /// As sent, undecoded: a path of ours has no letter that needs an escape, so any other is unknown.
    let path: Substring
    private let query: Substring?

    init(_ head: HTTPRequestHead) {
        self.head = head
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = parts.first ?? ""
        query = parts.count > 1 ? parts[1] : nil
    }

    var method: HTTPMethod { head.method }
    var headers: HTTPHeaders { head.headers }
    var hasQuery: Bool { query != nil }
    var isAPI: Bool { path == "/live" || path.hasPrefix("/api/") }

    /// The segments of the path after `/`.
    var segments: [Substring] { path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { $0 } }

    /// A parameter of the query, unescaped; nil when absent, empty or no UTF-8.
    func parameter(_ name: String) -> String? {
        guard let query else { return nil }
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.first == name[...], parts.count == 2, !parts[1].isEmpty else { continue }
            return parts[1].replacing("+", with: " ").removingPercentEncoding
        }
        return nil
    }

    /// A cookie's value.
    func cookie(_ name: String) -> Substring? {
        for field in headers["cookie"] {
            for pair in field.split(separator: ";") {
                let trimmed = pair.drop { $0 == " " }
                if trimmed.hasPrefix(name + "=") { return trimmed.dropFirst(name.count + 1) }
            }
        }
        return nil
    }

    /// Bytes of the body that are announced; nil when they come in chunks.
    var bodyLength: Int? {
        if let field = headers.first(name: "content-length") { return Int(field) }
        return headers.contains(name: "transfer-encoding") ? nil : 0
    }
}
