import Foundation
import Kinema

struct PoseResults {
    let format: OutputFormat
    let source: String
    private let output = StandardOutput()
    private var isFirst = true

    init(format: OutputFormat, source: String) {
        self.format = format
        self.source = source
    }

    mutating func add(_ frame: ExportedFrame) throws {
        var json = JSONText()
        switch format {
        case .text: return
        case .jsonl:
            json.frame(frame)
            json.newline()
            try output.write(json.bytes)
        case .json:
            json.frame(frame)
            try output.write(Array((isFirst ? opening : ",\n").utf8) + json.bytes)
        case .csv:
            try output.write((isFirst ? Array((CSVExport.header + "\n").utf8) : []) + CSVExport.rows(frame))
        }
        isFirst = false
    }

    func finish(_ outcome: InputRunner.Outcome<PoseAnalysis>) throws {
        switch format {
        case .text: try output.line(outcome.report.text)
        case .json:
            struct End: Encodable {
                let duration: Double, width: Int, height: Int, live: FrameTally?
            }
            let end = End(
                duration: outcome.run.duration, width: outcome.size.width, height: outcome.size.height,
                live: outcome.run.live)
            let members = try JSONEncoder().encode(end).dropFirst()
            try output.write(Array(((isFirst ? opening : "") + "],\n").utf8) + members + Array("\n".utf8))
        case .csv: if isFirst { try output.line(CSVExport.header) }
        case .jsonl: return
        }
    }

    private var opening: String {
        var json = JSONText()
        json.string(source)
        return "{\"source\":\(String(decoding: json.bytes, as: UTF8.self)),\"frames\":[\n"
    }
}
