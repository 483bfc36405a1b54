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

    /// What a count of this clip is worth.
    func clip(counted: Int) -> CountingScore.Clip {
        CountingScore.Clip(count: counted, repetitions: repetitions, range: range)
    }

    /// Reads a table of labels.
    ///
    /// Throws `.unreadableInput` naming the row when a column is missing, a number is none or a clip is not there.
    static func read(_ url: URL) throws -> [CountLabel] {
        guard let text = try? String(contentsOf: url, encoding: .utf8) else {
            throw KinemaError(.unreadableInput, "cannot be read as a table of labels", file: url.path)
        }
        let table = DelimitedTable(text)
        for column in ["file", "reps"] where !table.header.contains(column) {
            throw KinemaError(
                .unreadableInput, "has no column \(column); the first row must name the columns file and reps",
                file: url.path)
        }
        guard !table.rows.isEmpty else { throw KinemaError(.unreadableInput, "names no clip", file: url.path) }
        // Rows as a reader of the table counts them: the header is the first.
        return try table.rows.enumerated().map { try CountLabel($1, number: $0 + 2, in: url) }
    }

    private init(_ row: [String: String], number: Int, in url: URL) throws {
        func wrong(_ what: String) -> KinemaError {
            KinemaError(.unreadableInput, "row \(number): \(what)", file: url.path)
        }
        func count(_ column: String) throws -> Int? {
            guard let cell = row[column]?.trimmingCharacters(in: .whitespaces), !cell.isEmpty else { return nil }
            // Nobody does more in a clip; sums of what a table claims stay numbers.
            guard let value = Int(cell), (0...1_000_000).contains(value) else {
                throw wrong("\(column) is \"\(cell)\", not a whole number from 0 to 1000000")
            }
            return value
        }
        file = row["file"] ?? ""
        guard !file.isEmpty else { throw wrong("there is no file") }
        guard let reps = try count("reps") else { throw wrong("there are no reps for \(file)") }
        let (low, high) = (try count("reps_low") ?? reps, try count("reps_high") ?? reps)
        guard low <= high else { throw wrong("reps_low \(low) is more than reps_high \(high)") }
        path = url.deletingLastPathComponent().appending(path: file).path
        guard FileManager.default.fileExists(atPath: path) else { throw wrong("\(file) is not beside the table") }
        exercise = row["exercise"] ?? ""
        repetitions = reps
        range = low...high
    }
}
