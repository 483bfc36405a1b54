import KinemaCore

/// What a command found, as it stands in each format.
protocol FormattedResults {
    /// For people, without the last line's end.
    var text: String { get }
    /// Comma-separated, with a header and every line's end.
    var table: String { get }
    /// Writes one value.
    func write(to json: inout JSONText)
}

extension FormattedResults {
    /// The whole in a format; in JSON Lines it is one line.
    func bytes(as format: OutputFormat) -> [UInt8] {
        switch format {
        case .text: return Array((PlainText.lines(text) + "\n").utf8)
        case .csv: return Array(table.utf8)
        case .json, .jsonl:
            var json = JSONText()
            write(to: &json)
            json.newline()
            return json.bytes
        }
    }
}

extension StandardOutput {
    /// Writes results in the format asked for.
    func write(_ results: some FormattedResults, as format: OutputFormat) throws {
        try write(results.bytes(as: format))
    }
}
