import Foundation
import Kinema
import KinemaCore
package import NIOHTTP1

/// A response before it is sent.
struct StudioResponse: Sendable {
    /// What follows the header.
    enum Body: Sendable {
        case none
        case bytes(Data)
        /// A file's bytes in a range, as many at a time as the client reads.
        case file(URL, Range<Int>)
        /// An open file's first bytes.
        case open(FileHandle, count: Int)

        var count: Int {
            switch self {
            case .none: 0
            case .bytes(let data): data.count
            case .file(_, let range): range.count
            case .open(_, let count): count
            }
        }
    }

    var status: HTTPResponseStatus
    var headers = HTTPHeaders()
    var body = Body.none
    var closes = false

    init(_ status: HTTPResponseStatus, fields: [String: String] = [:], body: Body = .none) {
        self.status = status
        self.body = body
        for (name, value) in fields { headers.add(name: name, value: value) }
    }

    init(_ status: HTTPResponseStatus, adding headers: HTTPHeaders) {
        self.status = status
        self.headers = headers
    }

    /// JSON.
    static func json(_ data: Data, status: HTTPResponseStatus = .ok) -> StudioResponse {
        StudioResponse(status, fields: ["Content-Type": "application/json; charset=utf-8"], body: .bytes(data))
    }

    /// A file to be saved.
    init(_ file: ExportedFile) {
        self.init(saved: file.name, type: file.mediaType, body: .bytes(file.bytes))
    }

    /// A file to be saved under a name.
    init(saved name: String, type: String, body: Body) {
        self.init(.ok, body: body)
        headers.add(name: "Content-Type", value: type)
        headers.add(name: "Content-Disposition", value: "attachment; filename=\"\(Self.plain(name))\"")
    }

    /// A name as a header field can carry it.
    private static func plain(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" })
    }

    /// For a person who opened an address without the token: what to do, as a page.
    static func tokenNeeded(_ error: HTTPError) -> StudioResponse {
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Kinema studio</title><h1>The studio needs its token</h1>
            <p>Open the address that it printed when it started: it ends in <code>?token=…</code>.</p></html>

            """
        var response = StudioResponse(error.status, fields: error.fields, body: .bytes(Data(page.utf8)))
        response.headers.add(name: "Content-Type", value: ContentType.of("index.html"))
        return response
    }

    init(_ error: HTTPError) {
        self = .json(ErrorBody(code: error.code, message: error.message).body, status: error.status)
        closes = error.closes
        for (name, value) in error.fields { headers.add(name: name, value: value) }
    }
}

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
