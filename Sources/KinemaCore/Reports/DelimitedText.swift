/// Comma-separated text (RFC 4180).
package enum DelimitedText {
    /// A cell: in quotes where it holds a comma, a quote or a line's end.
    ///
    /// A text that a spreadsheet would take for a formula gets an apostrophe in front, which makes it one to read;
    /// numbers stay numbers. Characters that act on a terminal are written as Swift writes them.
    package static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r\n".unicodeScalars.contains($0) } ?? false
        var text = PlainText.escaped(text, but: ["\n", "\r", "\t"])
        // A sign begins a number too.
        if isFormula && Double(text) == nil {
            text = "'" + text
        } else if !text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) {
            return text
        }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
