import ArgumentParser
import Foundation
import Kinema

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
