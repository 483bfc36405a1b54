import ArgumentParser
import Foundation
import Kinema

/// `kinema exercises`: the exercises the coach knows.
struct ExercisesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exercises", abstract: "Lists the exercises the coach knows, with views and faults.")

    @Option(help: "What standard output gets: text, json, jsonl or csv.")
    var format = OutputFormat.text

    func run() throws {
        let all = ExerciseLibrary.all
        let output = StandardOutput()
        switch format {
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
        case .json:
            var json = JSONText()
            json.object { json in
                json.key("exercises")
                json.array { list in all.forEach { list.exercise($0) } }
            }
            json.newline()
            try output.write(json.bytes)
        case .jsonl:
            for exercise in all {
                var json = JSONText()
                json.exercise(exercise)
                json.newline()
                try output.write(json.bytes)
            }
        }
    }
}

extension Exercise {
    fileprivate var kindName: String { motion == nil ? "held" : "repetitions" }
    fileprivate var viewNames: [String] { BodyView.allCases.filter(views.contains).map(\.rawValue) }
    /// Each once, though a fault may be found in several ways.
    fileprivate var faultCodes: [String] {
        FaultCode.allCases.filter { code in faults.contains { $0.code == code } }.map(\.rawValue)
    }
    fileprivate var phaseNames: [String] {
        motion.map { [$0.phases.rest, $0.phases.away, $0.phases.far, $0.phases.back] } ?? ["holding"]
    }
}

extension JSONText {
    fileprivate mutating func exercise(_ exercise: Exercise) {
        object { json in
            for (name, value) in [("name", exercise.name), ("title", exercise.title), ("kind", exercise.kindName)] {
                json.key(name)
                json.string(value)
            }
            let lists = [
                ("views", exercise.viewNames), ("phases", exercise.phaseNames), ("faults", exercise.faultCodes),
            ]
            for (name, values) in lists {
                json.key(name)
                json.array { list in values.forEach { list.string($0) } }
            }
        }
    }
}
