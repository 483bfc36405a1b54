import KinemaCore
import NIOHTTP1

/// A request that is answered by an error.
struct Refusal: Error, Sendable, Equatable {
    var status: HTTPResponseStatus
    /// For programs.
    var code: String
    /// For people, one sentence.
    var message: String
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

    /// What an error amounts to for the client: its message, but no path of this machine.
    init(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal
        case let error as KinemaError where error.code == .invalidArgument:
            self.init(.conflict, "not-possible", error.message)
        case let error as KinemaError: self.init(.internalServerError, "failed", error.message)
        default: self.init(.internalServerError, "failed", "The studio failed at this; its own fault.")
        }
    }

    static let notFound = Refusal(.notFound, "not-found", "There is nothing at this address.")

    static func method(_ allowed: String) -> Refusal {
        Refusal(.methodNotAllowed, "wrong-method", "This address answers \(allowed).", fields: ["Allow": allowed])
    }

    static let slowHead = Refusal(
        .requestTimeout, "too-slow", "The request did not come to its end in time.", closes: true)

    static let slowBody = Refusal(
        .requestTimeout, "too-slow", "The body did not come to its end in time.", closes: true)

    static let malformed = Refusal(.badRequest, "bad-request", "This is no HTTP request.", closes: true)

    static let unreadableQuery = Refusal(.badRequest, "bad-request", "The address's query is no escaped UTF-8.")

    static let largeHead = Refusal(
        .requestHeaderFieldsTooLarge, "too-large", "The header is larger than is taken.", closes: true)

    static let longAddress = Refusal(.uriTooLong, "too-large", "The address is longer than is taken.", closes: true)

    static let largeBody = Refusal(.payloadTooLarge, "too-large", "The body is larger than is taken.", closes: true)

    static let busy = Refusal(
        .serviceUnavailable, "busy", "The studio is busy; try again.", fields: ["Retry-After": "1"])
}
