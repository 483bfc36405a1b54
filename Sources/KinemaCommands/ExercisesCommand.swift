import ArgumentParser
import Foundation
package import Kinema

struct ExercisesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exercises", abstract: "Lists the exercises that the coach knows, with their views and faults.",
        discussion: """
            To add your own, show it: `kinema teach good.mp4 -o mine.exercise.json`. Or write it: with a NAME, --format \
            json prints the whole definition. Save it, change it, and pass it to `kinema coach --exercise FILE.json`.
            """)

    @Argument(help: ArgumentHelp("Exercises to show, by name or from your own JSON file.", valueName: "name"))
    var names: [String] = []

    @OptionGroup var results: FormatOptionGroup

    func run() throws {
        let all = names.isEmpty ? ExerciseLibrary.all : try names.flatMap(ExerciseChoice.exercises)
        let output = StandardOutput()
        switch results.format {
        case .text:
            let width = all.map(\.name.count).max() ?? 0
            for exercise in all {
                let name = exercise.name.padding(toLength: width + 2, withPad: " ", startingAt: 0)
                try output.line(
                    "\(name)\(exercise.kindName); seen from \(exercise.viewNames.joined(separator: ", ")); faults: "
                        + exercise.faultCodes.map { $0.replacing("_", with: " ") }.joined(separator: ", "))
            }
        case .csv:
            try output.line("name,title,kind,views,faults")
            for exercise in all {
                try output.line(
                    [
                        exercise.name, exercise.title, exercise.kindName, exercise.viewNames.joined(separator: ";"),
                        exercise.faultCodes.joined(separator: ";"),
                    ].map(DelimitedText.cell).joined(separator: ","))
            }
        case .json where !names.isEmpty: try output.write(Array((ExerciseDefinition(all).text + "\n").utf8))
        case .json:
            try output.jsonLine { json in
                json.object { json in
                    json.array("exercises") { list in all.forEach { list.exercise($0) } }
                }
            }
        case .jsonl:
            for exercise in all {
                guard names.isEmpty else {
                    try output.write(Array((ExerciseDefinition([exercise]).line + "\n").utf8))
                    continue
                }
                try output.jsonLine { $0.exercise(exercise) }
            }
        }
    }
}

extension Exercise {
    fileprivate var kindName: String { isHold ? "held" : "repetitions" }
    fileprivate var viewNames: [String] { BodyView.allCases.filter(views.contains).map(\.rawValue) }
    /// The codes, each once even if several rules find it.
    fileprivate var faultCodes: [String] {
        FaultCode.allCases.filter { code in faults.contains { $0.code == code } }.map(\.rawValue)
    }
}

extension JSONText {
    fileprivate mutating func exercise(_ exercise: Exercise) {
        object { json in
            json.field("name", exercise.name)
            json.field("title", exercise.title)
            json.field("kind", exercise.kindName)
            json.field("views", strings: exercise.viewNames)
            json.field("phases", strings: exercise.phases.map { [$0.rest, $0.away, $0.far, $0.back] } ?? ["holding"])
            json.field("faults", strings: exercise.faultCodes)
        }
    }
}

/// The exercise named on a command line, or those among which it is recognised.
package struct ExerciseChoice: Sendable {
    private(set) var exercise: Exercise?
    private(set) var exercises = ExerciseLibrary.all

    /// Takes "auto", any spelling of an exercise's name, a file that ends in `.json`, or a folder of such files.
    init(_ argument: String) throws {
        if FileManager.default.isFolder(argument) || Self.isFile(argument) {
            exercises = try Self.read(argument)
            if exercises.count == 1 { exercise = exercises.first }
        } else if argument.lowercased() != "auto" {
            exercise = try Self.known(argument)
        }
    }

    /// The exercises of a file, or of the `.json` files in a folder.
    package static func read(_ path: String) throws -> [Exercise] {
        let isFolder = FileManager.default.isFolder(path)
        let entries = isFolder ? try LabelledClip.entries(URL(filePath: path)) : []
        let files = isFolder ? entries.map(\.url.path).filter(isFile) : [path]
        return try ExerciseLibrary.read(contentsOf: files.map { URL(filePath: $0) }, named: path)
    }

    static func exercises(_ argument: String) throws(KinemaError) -> [Exercise] {
        isFile(argument) ? try ExerciseLibrary.read(contentsOf: URL(filePath: argument)) : [try known(argument)]
    }

    private static func isFile(_ argument: String) -> Bool { argument.lowercased().hasSuffix(".json") }

    private static func known(_ name: String) throws(KinemaError) -> Exercise {
        guard let exercise = ExerciseLibrary.exercise(named: name) else {
            throw KinemaError(
                .invalidArgument,
                "unknown exercise \(name); use one of \(ExerciseLibrary.all.map(\.name).joined(separator: ", ")), "
                    + "auto, or a .json file of your own exercises")
        }
        return exercise
    }
}

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
