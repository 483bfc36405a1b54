import Foundation
import Kinema

/// A labelled clip.
struct CountLabel: Sendable {
    let file: String
    let path: String
    let exercise: String
    let repetitions: Int
    /// What a fair counter may say.
    let range: ClosedRange<Int>

    /// Reads a table of labels.
    ///
    /// Throws `.unreadableInput` naming the line when a column is missing or a number is none.
    static func read(_ url: URL) throws -> [CountLabel] {
        guard let text = try? String(contentsOf: url, encoding: .utf8) else {
            throw KinemaError(.unreadableInput, "cannot be read as a table of labels", file: url.path)
        }
        let table = DelimitedTable(text)
        for column in ["file", "reps"] where !table.header.contains(column) {
            throw KinemaError(.unreadableInput, "has no column \(column)", file: url.path)
        }
        guard !table.rows.isEmpty else { throw KinemaError(.unreadableInput, "names no clip", file: url.path) }
        return try table.rows.enumerated().map { index, row in
            func number(_ column: String) throws -> Int? {
                guard let cell = row[column], !cell.isEmpty else { return nil }
                guard let value = Int(cell) else {
                    throw KinemaError(
                        .unreadableInput, "row \(index + 1): \(column) is \"\(cell)\", not a whole number",
                        file: url.path)
                }
                return value
            }
            let file = row["file"] ?? ""
            guard !file.isEmpty, let reps = try number("reps") else {
                throw KinemaError(.unreadableInput, "row \(index + 1) has no file or no reps", file: url.path)
            }
            let (low, high) = (try number("reps_low") ?? reps, try number("reps_high") ?? reps)
            return CountLabel(
                file: file, path: url.deletingLastPathComponent().appending(path: file).path,
                exercise: row["exercise"] ?? "",
                repetitions: reps, range: min(low, high)...max(low, high))
        }
    }
}
