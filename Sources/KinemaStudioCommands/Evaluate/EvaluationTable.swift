import Foundation
import KinemaCommands
import KinemaCore

struct EvaluationTable {
    enum Value {
        case text(String?)
        case integer(Int?)
        case number(Double, decimals: Int)

        var cell: String {
            switch self {
            case .text(let text): text.map(DelimitedText.cell) ?? ""
            case .integer(let number): number.map(String.init) ?? ""
            case .number(let number, let decimals): String(format: "%.\(decimals)f", number)
            }
        }
    }

    typealias Field = (key: String, value: Value)

    let format: OutputFormat
    let columns: KeyValuePairs<String, Int>
    let header: [String]
    private let output = StandardOutput()
    private var isFirst = true

    init(_ format: OutputFormat, columns: KeyValuePairs<String, Int>, header: [String]) throws {
        (self.format, self.columns, self.header) = (format, columns, header)
        switch format {
        case .text: try output.line(padded(columns.map(\.key)))
        case .csv: try output.line(header.joined(separator: ","))
        case .json: try output.line("{\"rows\":[")
        case .jsonl: break
        }
    }

    /// Writes a row: cells for people, with a mark if it is wrong, or the values. JSON has those of `jsonKeys`, or all.
    mutating func row(_ cells: [String], isWrong: Bool, _ values: [Value], jsonKeys: Set<String>? = nil) throws {
        switch format {
        case .text: try output.line(padded(cells) + (isWrong ? "  <" : ""))
        case .csv: try output.line(values.map(\.cell).joined(separator: ","))
        case .json, .jsonl:
            let fields = zip(header, values).filter { jsonKeys?.contains($0.0) ?? true }
            var json = JSONText()
            json.object { $0.write(fields.map { ($0.0, $0.1) }) }
            if format == .jsonl { json.newline() }
            try output.write((format == .json && !isFirst ? Array(",\n".utf8) : []) + json.bytes)
        }
        isFirst = false
    }

    /// Writes the measures: as lines, which are comments in CSV, since a table has one kind of row, or as JSON.
    func end(_ lines: [String], _ write: (inout JSONText) -> Void) throws {
        switch format {
        case .text: for line in lines { try output.line(line) }
        case .csv: for line in lines { try output.line("# " + line) }
        case .json, .jsonl:
            var json = JSONText()
            write(&json)
            try output.write(Array((format == .json ? "],\n" : "{").utf8) + json.bytes + Array("}\n".utf8))
        }
    }

    private func padded(_ cells: [String]) -> String {
        zip(columns, cells).map { $0.value == 0 ? $1 : Self.pad($1, $0.value) }.joined()
    }

    /// A text on one line with spaces up to a width, at least one.
    static func pad(_ text: String, _ width: Int) -> String {
        let text = PlainText.oneLine(text)
        return text + String(repeating: " ", count: max(1, width - text.count))
    }
}

typealias Measure = (name: String, key: String, value: Double)

extension JSONText {
    mutating func write(_ fields: [EvaluationTable.Field]) {
        for (key, value) in fields {
            switch value {
            case .text(let text): field(key, text)
            case .integer(let number): field(key, number)
            case .number(let number, let decimals): field(key, number, decimals: decimals)
            }
        }
    }
}

extension StandardOutput {
    /// Writes a score: as text, as a table of one row, or as JSON.
    func write(_ text: String, _ fields: [EvaluationTable.Field], as format: OutputFormat) throws {
        switch format {
        case .text: try line(text)
        case .csv:
            for cells in [fields.map(\.key), fields.map(\.value.cell)] { try line(cells.joined(separator: ",")) }
        case .json, .jsonl: try jsonLine { json in json.object { $0.write(fields) } }
        }
    }
}
