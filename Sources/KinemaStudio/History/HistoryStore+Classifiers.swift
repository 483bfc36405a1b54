import Foundation
import GRDB
import KinemaCore
import KinemaMotion

/// The classifiers trained on marks: files beside the history, which stores their names and sizes.
extension HistoryStore {
    struct ClassifierEntry: Sendable, Equatable, Codable, FetchableRecord {
        var id: String
        var name: String
    }

    /// Oldest first.
    func classifierEntries() async throws(KinemaError) -> [ClassifierEntry] {
        try await perform { db in try Self.classifierEntries(db) }
    }

    static func classifierEntries(_ db: Database) throws -> [ClassifierEntry] {
        try ClassifierEntry.fetchAll(db, sql: "SELECT id, name FROM classifier ORDER BY date, id")
            .filter { ClassifierName.isID($0.id) }.map { ClassifierEntry(id: $0.id, name: PlainText.name($0.name)) }
    }

    func classifierFile(_ id: String) -> URL { classifiers.file(ClassifierName.file(id)) }

    /// Adds a classifier under a new id; throws `.unwritableOutput` if the history would exceed its limit.
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

    func deleteClassifier(_ id: String) async throws(KinemaError) -> Bool {
        guard ClassifierName.isID(id) else { return false }
        let isDeleted = try await perform { db in
            log.mark()
            try db.execute(sql: "DELETE FROM classifier WHERE id = ?", arguments: [id])
            return db.changesCount > 0
        }
        if isDeleted { classifiers.remove(ClassifierName.file(id)) }
        return isDeleted
    }
}
