import Foundation
import Kinema
import KinemaCore
import Synchronization

/// A line that answers a job: `{"id": …, "status": …, "result": {…}, "seconds": …}`, or with `error` and `code`.
struct JobAnswer {
    /// How the job ended.
    enum Ending {
        case done([UInt8])
        case nothing([UInt8])
        case failed(String, code: Int32)
    }

    var id: JobID?
    var ending: Ending
    /// How long the job took, seconds.
    var seconds: Double
    /// Whether no job of this process will do better, since a model or library is missing.
    var isMissing = false

    /// The line, with its end.
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

/// A result in memory, up to a size.
final class ResultMemory: ResultSink {
    private let bytes = Mutex<[UInt8]>([])

    /// The largest result in bytes: the poses of one person in some hours of video.
    static let largest = 64 << 20

    var result: [UInt8] { bytes.withLock { $0 } }

    func write(_ more: [UInt8]) throws {
        try bytes.withLock { bytes in
            guard bytes.count + more.count <= Self.largest else {
                throw KinemaError(
                    .unsupported, "the result is larger than \(Self.largest >> 20) MiB; kinema batch writes any size")
            }
            bytes += more
        }
    }
}
