import Foundation

/// Text for people: counted nouns, and names that cannot control a terminal or change the text direction.
package enum PlainText {
    /// Whether a character is invisible but affects the display: controls (C0, DEL, C1), line and paragraph separators,
    /// and those that change the writing direction (Unicode's `Bidi_Control`).
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value < 32 || scalar.value > 126 else { return false }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return scalar.properties.isBidiControl
        }
    }

    /// The text on one line, with hidden characters escaped as in Swift: `\n`, `\u{1B}`.
    package static func oneLine(_ text: String) -> String { escaped(text, except: []) }

    /// The same for a text of several lines, whose line breaks stay.
    package static func lines(_ text: String) -> String { escaped(text, except: ["\n"]) }

    static func escaped(_ text: String, except kept: [Unicode.Scalar]) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        return text.unicodeScalars.map { isHidden($0) && !kept.contains($0) ? $0.escaped(asASCII: true) : String($0) }
            .joined()
    }

    /// A number with its noun: "1 pinch", "2 pinches". By default the plural is the noun with an s.
    package static func counted(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(number) \(noun(number, singular, plural))"
    }

    /// The noun that follows a number, without the number.
    package static func noun(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        number == 1 ? singular : plural ?? singular + "s"
    }

    /// A name from outside, safe to store and show: without hidden characters, and cut to the size limit.
    package static func name(_ text: String, atMost bytes: Int = nameBytes) -> String {
        let shown = text.unicodeScalars.filter { !isHidden($0) }
        return prefix(String(String.UnicodeScalarView(shown)), bytes: bytes)
    }

    /// The longest name in bytes, as in file systems (`NAME_MAX` of Linux).
    package static let nameBytes = 255

    /// The beginning of a text that fits into this many bytes of UTF-8, cut between characters.
    package static func prefix(_ text: String, bytes: Int) -> String {
        var left = bytes
        return String(
            text.prefix { character in
                left -= character.utf8.count
                return left >= 0
            })
    }
}

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

extension Double {
    /// The nearest number with this many decimals; 0 if not finite, because JSON cannot represent it.
    package func rounded(to decimals: Int) -> Double {
        guard isFinite else { return 0 }
        let scale = pow(10, Double(decimals))
        guard abs(self) * scale < 9e15 else { return self }
        return (self * scale).rounded() / scale
    }

    /// The number with this many decimals; one that rounds to 0 has no sign.
    package func text(_ decimals: Int) -> String {
        let text = String(format: "%.\(decimals)f", self)
        return text.hasPrefix("-") && text.allSatisfy { "-0.".contains($0) } ? String(text.dropFirst()) : text
    }
}
