import Foundation
import Kinema

struct CountLabel: Sendable {
    let file, path, exercise: String
    let repetitions: Int
    let range: ClosedRange<Int>

    /// The truth for people: the count, with its range if several are correct.
    var truth: String {
        range.count > 1 ? "\(repetitions) (\(range.lowerBound)-\(range.upperBound))" : "\(repetitions)"
    }

    func clip(counted: Int) -> CountingScore.Clip {
        CountingScore.Clip(count: counted, repetitions: repetitions, range: range)
    }

    /// Reads a table of labels; throws `.unreadableInput` with the row of a missing column, number or clip.
    static func read(_ url: URL) throws -> [CountLabel] {
        let table = try DelimitedTable(contentsOf: url, remedy: "give a CSV file of labels")
        guard let reps = ["reps", "count"].first(where: table.header.contains), table.header.contains("file") else {
            let missing = table.header.contains("file") ? "reps" : "file"
            throw KinemaError(
                .unreadableInput,
                "has no column \(missing); the first row must name the columns file and reps (or count)", file: url.path
            )
        }
        guard !table.rows.isEmpty else { throw KinemaError(.unreadableInput, "lists no clip", file: url.path) }
        // Number rows as in the file, where the header is the first.
        return try table.rows.enumerated().map { try CountLabel($1, reps: reps, number: $0 + 2, in: url) }
    }

    private init(_ row: [String: String], reps column: String, number: Int, in url: URL) throws {
        func wrong(_ what: String) -> KinemaError {
            KinemaError(.unreadableInput, "row \(number): \(PlainText.prefix(what, bytes: 300))", file: url.path)
        }
        func count(_ column: String) throws -> Int? {
            guard let cell = row[column]?.trimmingCharacters(in: .whitespaces), !cell.isEmpty else { return nil }
            // Nobody does more in a clip, and sums stay in range.
            guard let value = Int(cell), (0...1_000_000).contains(value) else {
                throw wrong("\(column) is \"\(cell)\", not a whole number from 0 to 1000000")
            }
            return value
        }
        file = row["file"] ?? ""
        guard !file.isEmpty else { throw wrong("the file is missing") }
        guard let reps = try count(column) else { throw wrong("\(file) has no \(column)") }
        let (low, high) = (try count("reps_low") ?? reps, try count("reps_high") ?? reps)
        guard low <= high else { throw wrong("reps_low \(low) is more than reps_high \(high)") }
        path = url.deletingLastPathComponent().appending(path: file).path
        guard FileManager.default.fileExists(atPath: path) else { throw wrong("\(file) is not in the table's folder") }
        exercise = row["exercise"] ?? ""
        repetitions = reps
        range = low...high
    }
}
