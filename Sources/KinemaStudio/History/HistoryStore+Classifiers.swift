import Foundation
import GRDB
import KinemaCore
import KinemaMotion

/// The classifiers that were learnt from marks: files beside the history, of which the history knows names and sizes.
extension HistoryStore {
    /// What the history knows of a classifier.
    struct ClassifierEntry: Sendable, Equatable {
        var id: String
        /// Its name for people.
        var name: String
    }

    /// The classifiers, oldest first.
    func classifierEntries() async throws(KinemaError) -> [ClassifierEntry] {
        try await perform { db in try Self.classifierEntries(db) }
    }

    static func classifierEntries(_ db: Database) throws -> [ClassifierEntry] {
        try Row.fetchAll(db, sql: "SELECT id, name FROM classifier ORDER BY date, id").compactMap { row in
            let id: String? = row["id"]
            let name: String? = row["name"]
            guard let id, ClassifierName.isID(id), let name else { return nil }
            return ClassifierEntry(id: id, name: PlainText.name(name))
        }
    }

    /// Where the file of a classifier lies.
    func classifierFile(_ id: String) -> URL { classifiers.file(ClassifierName.file(id)) }

    /// Keeps a classifier under a name; returns its id, which is none of those taken.
    ///
    /// Throws `.unwritableOutput` when the history would take more than its limit.
    func addClassifier(
        _ model: HumanActionClassifier, name: String, taken: Set<String>
    ) async throws(KinemaError) -> String {
        try classifiers.prepare()
        return try await perform { db in
            let known = Set(try String.fetchAll(db, sql: "SELECT id FROM classifier")).union(taken)
            let id = ClassifierName.id(name, taken: known)
            let target = classifierFile(id)
            do {
                try model.write(to: target)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target.path)
                try Self.insertClassifier(
                    ClassifierEntry(id: id, name: name), bytes: BoundedFile.size(of: target) ?? 0, db)
                try checkSize(db)
            } catch {
                classifiers.remove(ClassifierName.file(id))
                throw error
            }
            return id
        }
    }

    static func insertClassifier(_ entry: ClassifierEntry, bytes: Int, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO classifier VALUES (?, ?, ?, ?)",
            arguments: [entry.id, entry.name, StoredSession.text(Date()), bytes])
    }

    /// Takes a classifier away; false when there is none of that id.
    func deleteClassifier(_ id: String) async throws(KinemaError) -> Bool {
        guard ClassifierName.isID(id) else { return false }
        let isDeleted = try await perform { db in
            try db.execute(sql: "DELETE FROM classifier WHERE id = ?", arguments: [id])
            return db.changesCount > 0
        }
        if isDeleted { classifiers.remove(ClassifierName.file(id)) }
        return isDeleted
    }
}

/// Names of classifiers for programs and for the disk.
enum ClassifierName {
    /// What all ids begin with, so that they are no name of a file that the studio was started with.
    private static let prefix = "studio-"
    private static let length = 48

    /// An id of small letters, digits and hyphens, after a name for people: "studio-my-squats".
    static func id(_ name: String, taken: Set<String>) -> String {
        let letters = name.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let words = String(letters).split(separator: "-").joined(separator: "-").prefix(length - 8)
        let stem = prefix + (words.isEmpty ? "classifier" : words)
        var (id, number) = (stem, 1)
        while taken.contains(id) {
            number += 1
            id = "\(stem)-\(number)"
        }
        return id
    }

    /// Whether a text is such an id; others would be paths.
    static func isID(_ text: String) -> Bool {
        text.hasPrefix(prefix) && (prefix.utf8.count + 1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    /// The name of its file.
    static func file(_ id: String) -> String { "\(id.dropFirst(prefix.count)).model" }
}
