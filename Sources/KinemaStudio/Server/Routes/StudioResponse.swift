import Foundation
import Kinema
import NIOHTTP1

/// An answer before it goes out.
struct StudioResponse: Sendable {
    /// What follows the header.
    enum Body: Sendable {
        case none
        case bytes(Data)
        /// A file's bytes in a range, as many at a time as the client reads.
        case file(URL, Range<Int>)

        var count: Int {
            switch self {
            case .none: 0
            case .bytes(let data): data.count
            case .file(_, let range): range.count
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
        self.init(.ok, body: .bytes(file.bytes))
        headers.add(name: "Content-Type", value: file.mediaType)
        headers.add(name: "Content-Disposition", value: "attachment; filename=\"\(Self.plain(file.name))\"")
    }

    /// A name as a header field can carry it.
    private static func plain(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" })
    }

    /// For a person who opened an address without the token: what to do, as a page.
    static func tokenNeeded(_ refusal: Refusal) -> StudioResponse {
        let page = """
            <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
            <title>Kinema studio</title><h1>The studio needs its token</h1>
            <p>Open the address that it printed when it started: it ends in <code>?token=…</code>.</p></html>

            """
        var response = StudioResponse(refusal.status, fields: refusal.fields, body: .bytes(Data(page.utf8)))
        response.headers.add(name: "Content-Type", value: ContentType.of("index.html"))
        return response
    }

    init(_ refusal: Refusal) {
        self = .json(ErrorBody(code: refusal.code, message: refusal.message).body, status: refusal.status)
        closes = refusal.closes
        for (name, value) in refusal.fields { headers.add(name: name, value: value) }
    }
}
