import Foundation

/// The separator of a table's cells and the format of its numbers.
struct TableFormat: Sendable {
    let separator: Character

    private static let padding = CharacterSet(charactersIn: " \"\u{FEFF}")
    private static let absences: Set<String> = ["", "nan", "none", "null", "na", "-nan"]

    /// The format of a table with this first line; semicolons and tabs also separate decimal commas.
    init(_ head: some Collection<UInt8>) {
        func count(_ sign: Character) -> Int { head.count { $0 == sign.asciiValue } }
        let commas = count(",")
        let other: Character = count(";") >= count("\t") ? ";" : "\t"
        let text = String(decoding: head, as: UTF8.self)
        if count(other) > commas || (count(other) > 0 && Self.areNumbers(text.split(separator: other))) {
            separator = other
        } else if commas > 0 || count(" ") == 0 {
            separator = ","
        } else {
            separator = Self.areNumbers(text.split(separator: " ")) ? " " : ","
        }
    }

    private static func areNumbers(_ cells: [Substring]) -> Bool {
        cells.allSatisfy { cell in
            let cell = cell.trimmingCharacters(in: padding)
            return absences.contains(cell.lowercased()) || Double(cell.replacing(",", with: ".")) != nil
        }
    }

    /// The cells of a line, without the quotes and spaces around them.
    func cells(_ line: some Collection<UInt8>) -> [String] {
        String(decoding: line, as: UTF8.self).split(
            separator: separator, omittingEmptySubsequences: separator == " "
        ).map { $0.trimmingCharacters(in: Self.padding) }
    }

    static func isAbsent(_ cell: String) -> Bool { absences.contains(cell.lowercased()) }

    /// The number in a cell, NaN in an empty one, nil for anything else; commas may be decimal.
    func number(_ cell: String) -> Double? {
        if Self.isAbsent(cell) { return .nan }
        if let value = Double(cell) { return value }
        return separator == "," ? nil : Double(cell.replacing(",", with: "."))
    }
}
