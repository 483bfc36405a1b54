import KinemaCore

/// The answer to a job: `{"id": …, "status": …, "result": {…}, "seconds": …}`, or with `error` and `code`.
struct JobAnswer {
    var id: JobID?
    var outcome: JobRunner.Outcome
    var result: [UInt8]
    var seconds: Double

    var line: [UInt8] {
        var json = JSONText()
        json.object { json in
            json.key("id")
            switch id {
            case .text(let text)?: json.string(text)
            case .number(let number)?: json.integer(number)
            case nil: json.null()
            }
            switch outcome {
            case .done, .nothing:
                json.field("status", outcome.isDone ? "done" : "nothing")
                json.key("result")
                // Line breaks in JSON can only be layout.
                let result = result.filter { $0 != UInt8(ascii: "\n") }
                if result.isEmpty { json.null() } else { json.raw(result) }
            case .interrupted: Self.write("interrupted", .interrupted, to: &json)
            case .missing(let error):
                Self.write("\(error)", ExitStatus(error), to: &json)
                // Every other job will fail too.
                json.field("missing", true)
            case .failed(let error, let status): Self.write(error, status, to: &json)
            }
            json.field("seconds", seconds, decimals: 3)
        }
        json.newline()
        return json.bytes
    }

    private static func write(_ error: String, _ status: ExitStatus, to json: inout JSONText) {
        json.field("status", "failed")
        json.field("error", error)
        json.field("code", Int(status.rawValue))
    }
}
