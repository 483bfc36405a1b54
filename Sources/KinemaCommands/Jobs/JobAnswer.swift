import KinemaCore

/// The answer to a job: `{"id": …, "status": …, "result": {…}, "seconds": …}`, or with `error` and `code`.
struct JobAnswer {
    enum Ending {
        case done([UInt8])
        case nothing([UInt8])
        case failed(String, code: Int32)
    }

    var id: JobID?
    var ending: Ending
    var seconds: Double
    /// Whether every other job will fail too, since a model or library is missing.
    var isMissing = false

    var line: [UInt8] {
        var json = JSONText()
        json.object { json in
            json.key("id")
            switch id {
            case .text(let text)?: json.string(text)
            case .number(let number)?: json.integer(number)
            case nil: json.null()
            }
            json.key("status")
            switch ending {
            case .done(let result): Self.write("done", result, to: &json)
            case .nothing(let result): Self.write("nothing", result, to: &json)
            case .failed(let error, let code):
                json.string("failed")
                json.field("error", error)
                json.field("code", Int(code))
                if isMissing {
                    json.field("missing", true)
                }
            }
            json.field("seconds", seconds, decimals: 3)
        }
        json.newline()
        return json.bytes
    }

    private static func write(_ status: String, _ result: [UInt8], to json: inout JSONText) {
        json.string(status)
        json.key("result")
        // Line breaks in JSON can only be layout.
        let result = result.filter { $0 != UInt8(ascii: "\n") }
        if result.isEmpty { json.null() } else { json.raw(result) }
    }
}
