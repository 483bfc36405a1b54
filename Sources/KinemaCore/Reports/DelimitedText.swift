/// Comma-separated text (RFC 4180).
package enum DelimitedText {
    /// A cell, quoted if it contains a comma, a quote or a line break. A formula gets an apostrophe in front, and
    /// characters that act on a terminal are escaped as in Swift.
    package static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r\n".unicodeScalars.contains($0) } ?? false
        // Scalar by scalar, as other programs read it: a mark that combines with a quote or a comma makes another character.
        var scalars = PlainText.escaped(text, except: ["\n", "\r", "\t"]).unicodeScalars
        // A number may also begin with a sign.
        if isFormula && Double(text) == nil {
            scalars.insert("'", at: scalars.startIndex)
        } else if !scalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) {
            return String(scalars)
        }
        let quoted = scalars.flatMap { $0 == "\"" ? [$0, $0] : [$0] }
        return String(String.UnicodeScalarView(["\""] + quoted + ["\""]))
    }
}
