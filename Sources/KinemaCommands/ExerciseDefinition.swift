import ArgumentParser
import Foundation
import Kinema

/// Exercises as JSON for people: keys in the order of the guide, short values on one line.
struct ExerciseDefinition {
    private let value: JSONValue
    private static let order = [
        "name", "title", "aliases", "code", "measure", "statistic", "sideDifference", "rest", "full", "range",
        "atLeast", "atMost", "exactly", "tolerance", "phase", "joints", "views", "plane", "motion", "hold", "shown",
        "version", "recordings", "repetitions", "mirror", "angle", "tempo", "out", "pause", "back", "dose", "mean",
        "spread", "courses", "measures", "traits", "faults", "skeleton",
    ]
    private static let width = 120

    /// A single exercise, or several under `exercises`.
    init(_ exercises: [Exercise]) throws {
        let all = try exercises.map { try JSONDecoder().decode(JSONValue.self, from: JSONEncoder.ordered.encode($0)) }
        value = all.count == 1 ? all[0] : .object(["exercises": .list(all)])
    }

    var line: String { Self.line(value) }
    var text: String { Self.text(value, indent: 0) }

    private static func members(_ object: [String: JSONValue]) -> [(key: String, value: JSONValue)] {
        object.sorted {
            (order.firstIndex(of: $0.key) ?? order.count, $0.key)
                < (order.firstIndex(of: $1.key) ?? order.count, $1.key)
        }
    }

    private static func line(_ value: JSONValue) -> String {
        switch value {
        case .null: return "null"
        case .flag(let flag): return "\(flag)"
        case .whole(let number): return "\(number)"
        case .number(let number): return number == number.rounded() ? String(Int(number)) : "\(number)"
        case .text(let text):
            var json = JSONText()
            json.string(text)
            return String(decoding: json.bytes, as: UTF8.self)
        case .list(let list): return "[" + list.map(line).joined(separator: ", ") + "]"
        case .object(let object):
            return "{" + members(object).map { "\"\($0.key)\": \(line($0.value))" }.joined(separator: ", ") + "}"
        }
    }

    private static func text(_ value: JSONValue, indent: Int) -> String {
        let line = line(value)
        // A list of numbers, as a course is, stays on one line.
        let isCourse = !line.dropFirst().contains { "[{\"".contains($0) }
        guard indent == 0 || line.count + indent > width, !isCourse else { return line }
        let margin = "\n" + String(repeating: " ", count: indent + 2)
        let end = "\n" + String(repeating: " ", count: indent)
        switch value {
        case .list(let list):
            return "[" + margin + list.map { text($0, indent: indent + 2) }.joined(separator: "," + margin) + end + "]"
        case .object(let object):
            let lines = members(object).map { "\"\($0.key)\": \(text($0.value, indent: indent + 2))" }
            return "{" + margin + lines.joined(separator: "," + margin) + end + "}"
        default: return line
        }
    }
}
