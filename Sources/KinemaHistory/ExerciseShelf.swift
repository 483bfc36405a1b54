package import KinemaCounting
package import Foundation
package import KinemaCore
import Synchronization

/// The exercises of a studio: those it was started with, and those taught in it, stored as files beside the history.
package final class ExerciseShelf: Sendable {
    private let given: [Exercise]
    private let files: ExerciseFiles?
    private let loop: @Sendable (String) -> ExerciseFigure?
    private let entries = Mutex<[Exercise]>([])

    /// Makes a shelf; without a history nothing can be taught. `loop` gives the loop of a built-in exercise by name.
    package init(
        given: [Exercise] = ExerciseLibrary.all, beside history: URL? = nil,
        loop: @escaping @Sendable (String) -> ExerciseFigure? = { _ in nil }
    ) {
        (self.given, self.loop) = (given, loop)
        files = history.map { ExerciseFiles(beside: $0) }
    }

    /// Reads the files of taught exercises; skips damaged files and duplicate names.
    package func load() {
        let found = files?.names.compactMap { files?.exercise($0) } ?? []
        let known = found.filter { ExerciseLibrary.exercise(named: $0.name, in: given) == nil }
        entries.withLock { $0 = known }
    }

    /// Whether exercises can be kept.
    package var isOpen: Bool { files != nil }

    /// Those taught or imported here.
    package var taught: [Exercise] { entries.withLock { $0 } }

    package var all: [Exercise] { taught + given }

    package func exercise(_ name: String) -> Exercise? { ExerciseLibrary.exercise(named: name, in: all) }

    package func isTaught(_ name: String) -> Bool { taught.contains { $0.name == name } }

    /// Nil for an imported exercise.
    package func origin(_ name: String) -> ExerciseFiles.Origin? { files?.origin(name) }

    /// An unused name and title: the title with the next free number, from 2.
    package func free(like title: String) -> (name: String, title: String) {
        let parts = title.split(separator: " ")
        let isNumbered = parts.count > 1 && parts[parts.count - 1].allSatisfy(\.isNumber)
        // Including the number, no longer than titles and names may be.
        let words = (isNumbered ? parts.dropLast() : parts[...]).joined(separator: " ")
        let base = words.prefix(50).trimmingCharacters(in: .whitespaces)
        let (name, titles) = (Self.name(base).prefix(44), Set(all.map(\.title)))
        var number = 2
        while exercise("\(name)_\(number)") != nil || titles.contains("\(base) \(number)") { number += 1 }
        return ("\(name)_\(number)", "\(base) \(number)")
    }

    package func figure(_ name: String) -> ExerciseFigure? {
        guard let exercise = exercise(name) else { return nil }
        return ExerciseFigure(exercise) ?? loop(exercise.name)
    }

    /// Adds an exercise, or replaces the one with the same name and keeps its origin; throws `.unwritableOutput`.
    package func keep(_ exercise: Exercise, from origin: ExerciseFiles.Origin? = nil) throws(KinemaError) {
        guard let files else { return }
        try files.keep(exercise, from: origin)
        entries.withLock { list in
            if let index = list.firstIndex(where: { $0.name == exercise.name }) {
                list[index] = exercise
            } else {
                list.append(exercise)
            }
        }
    }

    package func delete(_ name: String) {
        files?.remove(name)
        entries.withLock { $0.removeAll { $0.name == name } }
    }

    /// The name in files and addresses for a title in any language: ASCII letters, digits and underscores.
    package static func name(_ title: String) -> String {
        let latin = title.applyingTransform(.toLatin, reverse: false) ?? title
        let plain = latin.folding(options: .diacriticInsensitive, locale: nil).lowercased()
        let letters = plain.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        let words = String(letters).split(separator: "_").joined(separator: "_").prefix(48)
        return words.contains(where: \.isLetter) ? String(words) : "exercise_" + words
    }
}
