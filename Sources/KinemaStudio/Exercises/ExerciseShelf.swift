package import Foundation
import KinemaCore
package import KinemaMotion
import Synchronization

/// The exercises of a studio: those it was started with, and those taught in it, which are files beside the history.
package final class ExerciseShelf: Sendable {
    private let given: [Exercise]
    private let folder: HistoryFolder?
    private let loop: @Sendable (String) -> ExerciseFigure?
    private let entries = Mutex<[Exercise]>([])
    private static let ending = ".exercise.json"

    /// Makes a shelf; without a history nothing can be taught. `loop` shows a built-in exercise by its name.
    package init(
        given: [Exercise] = ExerciseLibrary.all, beside history: URL? = nil,
        loop: @escaping @Sendable (String) -> ExerciseFigure? = { _ in nil }
    ) {
        (self.given, self.loop) = (given, loop)
        folder = history.map { HistoryFolder(.exercises, beside: $0) }
    }

    /// Reads the files of what was taught before; leaves out what is damaged, or called like another.
    package func load() {
        guard let folder else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []
        for name in names.sorted() where name.hasSuffix(Self.ending) {
            guard let found = try? ExerciseLibrary.read(contentsOf: folder.file(name)), found.count == 1,
                found[0].name + Self.ending == name, exercise(found[0].name) == nil
            else { continue }
            entries.withLock { $0.append(found[0]) }
        }
    }

    /// Whether exercises can be kept.
    var isOpen: Bool { folder != nil }

    /// Those taught or imported here.
    package var taught: [Exercise] { entries.withLock { $0 } }

    var all: [Exercise] { taught + given }

    func exercise(_ name: String) -> Exercise? { ExerciseLibrary.exercise(named: name, in: all) }

    func isTaught(_ name: String) -> Bool { taught.contains { $0.name == name } }

    func figure(_ name: String) -> ExerciseFigure? {
        guard let exercise = exercise(name) else { return nil }
        return ExerciseFigure(exercise) ?? loop(exercise.name)
    }

    /// Adds an exercise, or replaces the one of its name; throws `.unwritableOutput`.
    func keep(_ exercise: Exercise) throws(KinemaError) {
        guard let folder else { return }
        try folder.prepare()
        let file = folder.file(exercise.name + Self.ending)
        try AtomicFile.write(Self.bytes(exercise), to: file)
        try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        entries.withLock { list in
            if let index = list.firstIndex(where: { $0.name == exercise.name }) {
                list[index] = exercise
            } else {
                list.append(exercise)
            }
        }
    }

    func delete(_ name: String) {
        folder?.remove(name + Self.ending)
        entries.withLock { $0.removeAll { $0.name == name } }
    }

    static func bytes(_ exercise: Exercise) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(exercise)) ?? Data()
    }

    /// The name in files and addresses for a title in any language: ASCII letters, digits and underscores.
    static func name(_ title: String) -> String {
        let plain = title.folding(options: .diacriticInsensitive, locale: nil).lowercased()
        let letters = plain.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        let words = String(letters).split(separator: "_").joined(separator: "_").prefix(48)
        return words.contains(where: \.isLetter) ? String(words) : "exercise_" + words
    }
}
