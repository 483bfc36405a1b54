/// A table read from comma-separated text (RFC 4180): a header, then rows by column name.
struct DelimitedTable {
    let header: [String]
    let rows: [[String: String]]

    init(_ text: String) {
        let lines = Self.parse(text)
        let header = lines.first ?? []
        self.header = header
        rows = lines.dropFirst().filter { $0 != [""] }.map { cells in
            Dictionary(zip(header, cells)) { first, _ in first }
        }
    }

    private static func parse(_ text: String) -> [[String]] {
        var lines: [[String]] = []
        var line: [String] = []
        var cell = String.UnicodeScalarView()
        var isQuoted = false
        // Scalar by scalar: a mark that combines with a quote or a comma makes another character.
        var scalars = text.unicodeScalars.makeIterator()
        var pending: Unicode.Scalar?
        func endLine() {
            lines.append(line + [String(cell)])
            (line, cell) = ([], .init())
        }
        while let scalar = pending ?? scalars.next() {
            pending = nil
            switch scalar {
            case "\"" where isQuoted:
                // Two quotes inside quotes are one quote.
                pending = scalars.next()
                if pending == "\"" {
                    cell.append("\"")
                    pending = nil
                } else {
                    isQuoted = false
                }
            case "\"" where cell.isEmpty: isQuoted = true
            case "," where !isQuoted:
                line.append(String(cell))
                cell = .init()
            case "\n" where !isQuoted: endLine()
            case "\r" where !isQuoted:
                pending = scalars.next()
                if pending != "\n" { cell.append(scalar) }
            default: cell.append(scalar)
            }
        }
        if !cell.isEmpty || !line.isEmpty { endLine() }
        return lines
    }
}
