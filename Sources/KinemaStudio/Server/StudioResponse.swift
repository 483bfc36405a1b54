import Foundation
import Kinema
import NIOHTTP1

struct StudioResponse: Sendable {
    enum Body: Sendable {
        case none
        case bytes(Data)
        case file(URL, Range<Int>)
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
    /// The permit used to make it, held until it is sent.
    var permit: ConcurrencyLimiter.Permit?

    init(_ status: HTTPResponseStatus, fields: [String: String] = [:], body: Body = .none) {
        (self.status, self.body) = (status, body)
        for (name, value) in fields { headers.add(name: name, value: value) }
    }

    static func json(_ data: Data, status: HTTPResponseStatus = .ok) -> StudioResponse {
        StudioResponse(status, fields: ["Content-Type": "application/json; charset=utf-8"], body: .bytes(data))
    }

    init(_ file: ExportedFile) { self.init(saved: file.name, type: file.mediaType, body: .bytes(file.bytes)) }

    init(saved name: String, type: String, body: Body) {
        self.init(.ok, body: body)
        headers.add(name: "Content-Type", value: type)
        headers.add(name: "Content-Disposition", value: "attachment; filename=\"\(Self.plain(name))\"")
    }

    private static func plain(_ name: String) -> String {
        String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" })
    }

    /// A page for a person who opened an address without the token.
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
