import KinemaCore
package import NIOHTTP1

package struct HTTPError: Error, Sendable, Equatable {
    package var status: HTTPResponseStatus
    var code: String
    package var message: String
    /// Whether the connection ends with the answer.
    var closes = false
    /// Further header fields, such as `Allow`.
    var fields: [String: String] = [:]

    init(
        _ status: HTTPResponseStatus, _ code: String, _ message: String, closes: Bool = false,
        fields: [String: String] = [:]
    ) {
        (self.status, self.code, self.message, self.closes, self.fields) = (status, code, message, closes, fields)
    }

    /// An error for the client, without paths of this machine.
    package init(_ error: any Error) {
        switch error {
        case let error as HTTPError: self = error
        case let error as KinemaError where error.code == .invalidArgument:
            self.init(.conflict, "not-possible", error.message)
        case let error as KinemaError where error.code == .unwritableOutput:
            self.init(.insufficientStorage, "not-kept", error.message)
        case let error as KinemaError: self.init(.internalServerError, "failed", error.message)
        default: self.init(.internalServerError, "failed", "The studio failed to answer this request.")
        }
    }

    static let notFound = HTTPError(.notFound, "not-found", "There is nothing at this address.")

    static func invalid(_ message: String) -> HTTPError { HTTPError(.badRequest, "bad-request", message) }

    static func notPossible(_ message: String) -> HTTPError { HTTPError(.conflict, "not-possible", message) }

    static func method(_ allowed: String) -> HTTPError {
        HTTPError(
            .methodNotAllowed, "wrong-method", "This address accepts only \(allowed).", fields: ["Allow": allowed])
    }
    static let slowHead = HTTPError(
        .requestTimeout, "too-slow", "The request was not complete in time.", closes: true)
    static let slowBody = HTTPError(
        .requestTimeout, "too-slow", "The body was not complete in time; try again on a faster network.", closes: true)
    static let malformed = HTTPError(.badRequest, "bad-request", "This is not an HTTP request.", closes: true)
    static let unreadableQuery = invalid("The query of the address is not escaped UTF-8.")
    static let largeHead = HTTPError(
        .requestHeaderFieldsTooLarge, "too-large", "The header is too large.", closes: true)
    static let longAddress = HTTPError(.uriTooLong, "too-large", "The address is too long.", closes: true)
    static let largeBody = HTTPError(.payloadTooLarge, "too-large", "The body is too large.", closes: true)
    static let busy = HTTPError(
        .serviceUnavailable, "busy", "The studio is busy; try again.", fields: ["Retry-After": "1"])
}
