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

    /// Whether the query's escapes make UTF-8; another has no meaning.
    var hasReadableQuery: Bool { query.map { Self.unescaped($0) != nil } ?? true }

    /// A parameter of the query, unescaped; nil when absent, empty or no UTF-8.
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
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                    let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                rest = rest.dropFirst(2)
                bytes.append(value)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
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
