/// Text for people: nouns counted, names that cannot move a terminal's cursor or turn the words around them.
package enum PlainText {
    /// Whether a character shows nothing itself but acts on what shows it: controls (C0, DEL, C1), separators of lines
    /// and paragraphs, and those that turn the direction of writing (Unicode's `Bidi_Control`).
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.value < 32 || scalar.value > 126 else { return false }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return scalar.properties.isBidiControl
        }
    }

    /// The text on one line, with hidden characters as Swift writes them: `\n`, `\u{1B}`.
    package static func oneLine(_ text: String) -> String {
        escaped(text, but: [])
    }

    /// The same for a text of several lines, whose ends stay.
    package static func lines(_ text: String) -> String {
        escaped(text, but: ["\n"])
    }

    static func escaped(_ text: String, but kept: [Unicode.Scalar]) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        return text.unicodeScalars.map { isHidden($0) && !kept.contains($0) ? $0.escaped(asASCII: true) : String($0) }
            .joined()
    }

    /// A number with its noun: "1 pinch", "2 pinches"; `several` is the noun with an s where none is given.
    package static func counted(_ number: Int, _ one: String, _ several: String? = nil) -> String {
        "\(number) \(noun(number, one, several))"
    }

    /// The noun alone, as it stands behind a number.
    package static func noun(_ number: Int, _ one: String, _ several: String? = nil) -> String {
        number == 1 ? one : several ?? one + "s"
    }

    /// A name from outside as it may be kept and shown: without hidden characters, and as much of its beginning as
    /// fits.
    package static func name(_ text: String, atMost bytes: Int = nameBytes) -> String {
        let shown = text.unicodeScalars.filter { !isHidden($0) }
        return prefix(String(String.UnicodeScalarView(shown)), bytes: bytes)
    }

    /// The most bytes of a name: what file systems take (`NAME_MAX` of Linux).
    package static let nameBytes = 255

    /// The beginning of a text that fits into so many bytes of UTF-8, cut between two characters.
    package static func prefix(_ text: String, bytes: Int) -> String {
        var left = bytes
        return String(
            text.prefix { character in
                left -= character.utf8.count
                return left >= 0
            })
    }
}
