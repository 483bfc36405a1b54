import Foundation
import Kinema

/// The exercise named on a command line, or those among which it is recognised.
struct ExerciseChoice: Sendable {
    private(set) var exercise: Exercise?
    private(set) var exercises = ExerciseLibrary.all

    /// Takes "auto", any spelling of an exercise's name, or a file that ends in `.json`.
    init(_ argument: String) throws(KinemaError) {
        if Self.isFile(argument) {
            exercises = try ExerciseLibrary.read(contentsOf: URL(filePath: argument))
            if exercises.count == 1 { exercise = exercises.first }
        } else if argument.lowercased() != "auto" {
            exercise = try Self.known(argument)
        }
    }

    /// Takes every exercise of the `.json` files in a folder.
    init(folder: String) throws {
        let files = try LabelledClip.entries(URL(filePath: folder)).map(\.url).filter { Self.isFile($0.path) }
        exercises = try files.flatMap { try ExerciseLibrary.read(contentsOf: $0) }
        guard (1...100).contains(exercises.count) else {
            throw KinemaError(
                .unreadableInput, "holds \(exercises.count) exercises in .json files, 1 to 100 are needed", file: folder
            )
        }
        let names = Dictionary(grouping: exercises, by: \.name)
        if let twice = names.first(where: { $0.value.count > 1 })?.key {
            throw KinemaError(.unreadableInput, "two exercises are called \"\(twice)\"", file: folder)
        }
        if exercises.count == 1 { exercise = exercises.first }
    }

    static func exercises(_ argument: String) throws(KinemaError) -> [Exercise] {
        isFile(argument) ? try ExerciseLibrary.read(contentsOf: URL(filePath: argument)) : [try known(argument)]
    }

    private static func isFile(_ argument: String) -> Bool { argument.lowercased().hasSuffix(".json") }

    private static func known(_ name: String) throws(KinemaError) -> Exercise {
        guard let exercise = ExerciseLibrary.exercise(named: name) else {
            throw KinemaError(
                .invalidArgument,
                "unknown exercise \(name); known are \(ExerciseLibrary.all.map(\.name).joined(separator: ", ")), "
                    + "auto, and your own in a .json file")
        }
        return exercise
    }
}
