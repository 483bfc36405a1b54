import Foundation
import KinemaCommands
import Kinema
import KinemaCore

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

/// The agreement of counts with labelled ranges: MAE and OBO of Dwibedi et al., "Counting Out Time", CVPR 2020.
struct CountingScore: Sendable, Hashable {
    struct Clip: Sendable, Hashable, Codable {
        var count, repetitions: Int
        var range: ClosedRange<Int>

        /// The distance of the count from the nearest correct one.
        var error: Int { abs(count - min(max(count, range.lowerBound), range.upperBound)) }

        /// The error as a share of the label, or absolute if the label is zero.
        var relativeError: Double { Double(error) / Double(max(repetitions, 1)) }
    }

    struct Estimate: Sendable, Hashable {
        var value: Double
        var interval: ClosedRange<Double>
    }

    private(set) var clips: [Clip] = []

    mutating func add(_ clip: Clip) { clips.append(clip) }

    /// The mean relative error; 0 without clips.
    var meanAbsoluteError: Double { Self.mean(clips) { $0.relativeError } }
    /// The share of clips counted to within one (0...1).
    var offByOne: Double { Self.mean(clips) { $0.error <= 1 ? 1 : 0 } }
    /// The share of clips counted exactly (0...1).
    var exact: Double { Self.mean(clips) { $0.error == 0 ? 1 : 0 } }

    /// Estimates a measure with its bootstrap interval; the same seed gives the same interval.
    func estimate(
        _ measure: KeyPath<CountingScore, Double>, resamplings: Int = 2000, seed: UInt64 = 1
    ) -> Estimate {
        let value = self[keyPath: measure]
        guard clips.count > 1, resamplings > 0 else { return Estimate(value: value, interval: value...value) }
        var generator = RandomSource(seed: seed)
        var values: [Double] = []
        for _ in 0..<resamplings {
            var sample = CountingScore()
            for _ in clips { sample.add(clips[Int.random(in: 0..<clips.count, using: &generator)]) }
            values.append(sample[keyPath: measure])
        }
        values.sort()
        let low = values[Int(0.025 * Double(resamplings - 1))]
        let high = values[Int((0.975 * Double(resamplings - 1)).rounded(.up))]
        return Estimate(value: value, interval: low...high)
    }

    private static func mean(_ clips: [Clip], _ value: (Clip) -> Double) -> Double {
        clips.isEmpty ? 0 : clips.reduce(0) { $0 + value($1) } / Double(clips.count)
    }
}

extension CountingScore {
    private var estimates: [(name: String, key: String, estimate: Estimate)] {
        [
            ("MAE", "mae", estimate(\.meanAbsoluteError)), ("OBO", "obo", estimate(\.offByOne)),
            ("exact", "exact", estimate(\.exact)),
        ]
    }

    var text: String {
        estimates.map { name, _, estimate in
            let interval = estimate.interval
            return "\(name) \(estimate.value.text(3)) [\(interval.lowerBound.text(3)), \(interval.upperBound.text(3))]"
        }.joined(separator: ", ")
    }

    func write(to json: inout JSONText) {
        for (_, key, estimate) in estimates {
            json.field(key, estimate.value)
            json.field(key + "_interval", numbers: [estimate.interval.lowerBound, estimate.interval.upperBound])
        }
    }
}
