package import KinemaCounting
package import Foundation
import KinemaCore

/// The exercises taught in a studio: files beside the history, each with a note of the session it was taught from.
package struct ExerciseFiles: Sendable {
    /// Kept separate from the exercise, which may be shared.
    package struct Origin: Sendable, Equatable, Codable {
        package var session: UUID
        /// The session's person; used once the session is deleted.
        package var person: String?

        package init(session: UUID, person: String? = nil) { (self.session, self.person) = (session, person) }
    }

    let folder: HistoryFolder
    private static let (ending, note) = (".exercise.json", ".origin.json")

    init(beside history: URL) { folder = HistoryFolder(.exercises, beside: history) }

    var names: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []
        return files.filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(Self.ending.count)) }.sorted()
    }

    func file(_ name: String) -> URL { folder.file(name + Self.ending) }

    /// Nil if the file is damaged, or holds an exercise with another name.
    func exercise(_ name: String) -> Exercise? {
        guard let found = try? ExerciseLibrary.read(contentsOf: file(name)), found.count == 1 else { return nil }
        return found[0].name == name ? found[0] : nil
    }

    /// Nil for one that was imported.
    func origin(_ name: String) -> Origin? {
        guard let file = try? FileHandle(forReadingFrom: noteFile(name)) else { return nil }
        defer { try? file.close() }
        return (try? file.read(upToCount: 1 << 12)).flatMap { try? JSONDecoder().decode(Origin.self, from: $0) }
    }

    /// Writes an exercise, and its origin unless that is unchanged; throws `.unwritableOutput`.
    func keep(_ exercise: Exercise, from origin: Origin? = nil) throws(KinemaError) {
        try folder.prepare()
        let isNew = !FileManager.default.fileExists(atPath: file(exercise.name).path)
        // The note goes first: without it the exercise would have no owner.
        if origin != nil || isNew { try note(origin, of: exercise.name) }
        do { try write(Self.bytes(exercise), to: file(exercise.name)) } catch {
            if isNew { remove(exercise.name) }
            throw error
        }
    }

    /// Writes a note; nil removes a leftover one.
    func note(_ origin: Origin?, of name: String) throws(KinemaError) {
        guard let origin else { return folder.remove(name + Self.note) }
        try write((try? JSONEncoder.ordered.encode(origin)) ?? Data(), to: noteFile(name))
    }

    func noteFile(_ name: String) -> URL { folder.file(name + Self.note) }

    /// Updates the session's person in the notes of every exercise taught from it.
    func give(_ session: UUID, to person: String?) throws(KinemaError) {
        for name in names {
            guard var origin = origin(name), origin.session == session, origin.person != person else { continue }
            origin.person = person
            try note(origin, of: name)
        }
    }

    func remove(_ name: String) {
        for ending in [Self.ending, Self.note] { folder.remove(name + ending) }
    }

    /// Removes notes without an exercise, which a later exercise of the same name would inherit.
    func removeStrays() {
        let wanted = Set(names.map { $0 + Self.note })
        folder.removeStrays { name in
            !name.hasPrefix(PartialFile.prefix) && (!name.hasSuffix(Self.note) || wanted.contains(name))
        }
    }

    private func write(_ data: Data, to file: URL) throws(KinemaError) {
        try AtomicFile.write(data, to: file)
        try? FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    package static func bytes(_ exercise: Exercise) -> Data {
        return (try? JSONEncoder.ordered.encode(exercise)) ?? Data()
    }
}
