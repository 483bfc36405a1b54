import Foundation
import Kinema

/// The exercise named on a command line, or those among which it is recognised.
struct ExerciseChoice: Sendable {
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
    static func read(_ path: String) throws -> [Exercise] {
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
