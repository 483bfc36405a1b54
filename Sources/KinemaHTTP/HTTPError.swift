import Foundation
import KinemaCore
import NIOCore
package import NIOHTTP1

package struct HTTPError: Error, Sendable, Equatable {
    package var status: HTTPResponseStatus
    package var code: String
    package var message: String
    /// Whether the connection ends with the answer.
    package var closes = false
    /// Further header fields, such as `Allow`.
    package var fields: [String: String] = [:]
    /// The limit that was exceeded, bytes.
    package var limit: Int?

    package init(
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

    package static let notFound = HTTPError(.notFound, "not-found", "There is nothing at this address.")

    package static func invalid(_ message: String) -> HTTPError { HTTPError(.badRequest, "bad-request", message) }

    package static func notPossible(_ message: String) -> HTTPError { HTTPError(.conflict, "not-possible", message) }

    package static func method(_ allowed: String) -> HTTPError {
        HTTPError(
            .methodNotAllowed, "wrong-method", "This address accepts only \(allowed).", fields: ["Allow": allowed])
    }
    static let slowHead = HTTPError(
        .requestTimeout, "too-slow", "The request was not complete in time.", closes: true)
    static let slowBody = HTTPError(
        .requestTimeout, "too-slow", "The body was not complete in time; try again on a faster network.", closes: true)
    static let malformed = HTTPError(.badRequest, "bad-request", "This is not an HTTP request.", closes: true)
    package static let unreadableQuery = invalid("The query of the address is not escaped UTF-8.")
    static let largeHead = HTTPError(
        .requestHeaderFieldsTooLarge, "too-large", "The header is too large.", closes: true)
    package static let longAddress = HTTPError(.uriTooLong, "too-large", "The address is too long.", closes: true)
    package static let largeBody = HTTPError(.payloadTooLarge, "too-large", "The body is too large.", closes: true)
    static func tooLarge(_ what: String, _ limit: Int) -> HTTPError {
        var error = HTTPError(
            .payloadTooLarge, "too-large", "\(what) is too large: at most \(limit / 1_000_000) MB are accepted.",
            closes: true)
        error.limit = limit
        return error
    }

    package static let busy = HTTPError(
        .serviceUnavailable, "busy", "The studio is busy; try again.", fields: ["Retry-After": "1"])
}

/// An error's JSON: a message of the socket or, without a type, the member `error` over HTTP.
struct ErrorBody: Encodable {
    var type: String?
    package var code: String
    var message: String
    var fatal: Bool?
    /// Bytes.
    package var limit: Int?

    var text: String { String(decoding: Self.encode(self), as: UTF8.self) }

    var body: Data { Self.encode(["error": self]) }

    private static func encode(_ value: some Encodable) -> Data {
        return (try? JSONEncoder.ordered.encode(value)) ?? Data("{}".utf8)
    }
}

/// The named timers of one connection, on one event loop.
final class Timeouts<Name: Hashable> {
    private let loop: any EventLoop
    private var scheduled: [Name: (number: Int, timer: Scheduled<Void>)] = [:]
    private var number = 0

    init(_ loop: any EventLoop) { self.loop = loop }

    func arm(_ name: Name, after time: Duration, _ action: @escaping () -> Void) {
        disarm(name)
        number += 1
        let timer = loop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [weak self, number] in
            // Of two timers due at once, the first may stop the second after the loop has dequeued it.
            guard let self, scheduled[name]?.number == number else { return }
            scheduled[name] = nil
            action()
        }
        scheduled[name] = (number, timer)
    }

    func disarm(_ name: Name) { scheduled.removeValue(forKey: name)?.timer.cancel() }

    func disarmAll() {
        for entry in scheduled.values { entry.timer.cancel() }
        scheduled = [:]
    }
}

extension HTTPError {
    package static let notMade = HTTPError(.notFound, "not-found", "Not found, or not ready yet.")
}
