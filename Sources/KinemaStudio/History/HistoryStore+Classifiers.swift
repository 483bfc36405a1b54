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
