package import Foundation
package import Kinema

/// A table read from comma-separated text (RFC 4180): a header, then rows by column name.
package struct DelimitedTable {
    package let header: [String]
    package let rows: [[String: String]]

    /// The largest table in bytes: a hundred thousand clips with long names.
    static let maximumSize = 16 << 20
    /// The most lines: a row takes a hundred times its bytes in memory.
    static let maximumLines = 100_000

    /// Reads a table from a file; throws `unreadableInput` with the `remedy`.
    package init(contentsOf url: URL, remedy: String) throws(KinemaError) {
        let bytes = try BoundedFile.read(url, limit: Self.maximumSize, remedy: remedy)
        guard bytes.count(where: { $0 == UInt8(ascii: "\n") }) <= Self.maximumLines else {
            throw KinemaError(.unreadableInput, "has more than \(Self.maximumLines) lines; split it", file: url.path)
        }
        // Spreadsheets begin text with the mark of its byte order.
        let plain = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        guard let text = String(bytes: plain, encoding: .utf8) else {
            throw KinemaError(.unreadableInput, "is not text in UTF-8; \(remedy)", file: url.path)
        }
        self.init(text)
    }

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
