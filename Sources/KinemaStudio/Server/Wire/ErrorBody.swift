import Foundation

/// An error as clients get it: a message of the socket, or, without type, what stands under `error` over HTTP.
struct ErrorBody: Encodable {
    var type: String?
    var code: String
    var message: String
    var fatal: Bool?

    /// As a message of the socket.
    var text: String { String(decoding: Self.encode(self), as: UTF8.self) }

    /// As the body of an answer.
    var body: Data { Self.encode(["error": self]) }

    private static func encode(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Four plain fields always encode.
        return (try? encoder.encode(value)) ?? Data("{}".utf8)
    }
}
