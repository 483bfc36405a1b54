/// Comma-separated text (RFC 4180).
package enum DelimitedText {
    /// A cell: in quotes where it holds a comma, a quote or a line's end.
    package static func cell(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
