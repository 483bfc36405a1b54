import Foundation
import KinemaCore
package import NIOHTTP1

/// An error that a request is answered with.
package struct HTTPError: Error, Sendable, Equatable {
    package var status: HTTPResponseStatus
    /// For programs.
    var code: String
    /// For people, one sentence.
    package var message: String
    /// Whether the connection ends with the answer, because what follows cannot be understood.
    var closes = false
    /// Further header fields, such as `Allow`.
    var fields: [String: String] = [:]

    init(
        _ status: HTTPResponseStatus, _ code: String, _ message: String, closes: Bool = false,
        fields: [String: String] = [:]
    ) {
        self.status = status
        self.code = code
        self.message = message
        self.closes = closes
        self.fields = fields
    }

    /// An error in the client's terms: its message, without paths of this machine.
    package init(_ error: any Error) {
        switch error {
        case let error as HTTPError: self = error
        case let error as KinemaError where error.code == .invalidArgument:
            self.init(.conflict, "not-possible", error.message)
        case let error as KinemaError: self.init(.internalServerError, "failed", error.message)
        default: self.init(.internalServerError, "failed", "The studio itself failed to answer this.")
        }
    }

    static let notFound = HTTPError(.notFound, "not-found", "There is nothing at this address.")

    static func method(_ allowed: String) -> HTTPError {
        HTTPError(.methodNotAllowed, "wrong-method", "This address answers \(allowed).", fields: ["Allow": allowed])
    }

    static let slowHead = HTTPError(
        .requestTimeout, "too-slow", "The request was not complete in time.", closes: true)

    static let slowBody = HTTPError(
        .requestTimeout, "too-slow", "The body was not complete in time.", closes: true)

    static let malformed = HTTPError(.badRequest, "bad-request", "This is not an HTTP request.", closes: true)

    static let unreadableQuery = HTTPError(.badRequest, "bad-request", "The query of the address is not escaped UTF-8.")

    static let largeHead = HTTPError(
        .requestHeaderFieldsTooLarge, "too-large", "The header is too large.", closes: true)

    static let longAddress = HTTPError(.uriTooLong, "too-large", "The address is too long.", closes: true)

    static let largeBody = HTTPError(.payloadTooLarge, "too-large", "The body is too large.", closes: true)

    static let busy = HTTPError(
        .serviceUnavailable, "busy", "The studio is busy; try again.", fields: ["Retry-After": "1"])
}

/// An error as clients get it: a message of the socket or, without a type, the member `error` over HTTP.
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
