import Foundation
import KinemaCore

/// An error's JSON: a message of the socket or, without a type, the member `error` over HTTP.
struct ErrorBody: Encodable {
    var type: String?
    var code: String
    var message: String
    var fatal: Bool?

    var text: String { String(decoding: Self.encode(self), as: UTF8.self) }

    var body: Data { Self.encode(["error": self]) }

    private static func encode(_ value: some Encodable) -> Data {
        return (try? JSONEncoder.ordered.encode(value)) ?? Data("{}".utf8)
    }
}
