import KinemaCounting
import KinemaLearning
package import Foundation
import GRDB
import Kinema
package import KinemaCore

extension HistoryStore {
    /// A file without a name beside the history, for one answer; it is deleted when it is closed.
    package func makeUnnamedFile() throws(KinemaError) -> FileHandle {
        let folder = file.deletingLastPathComponent()
        let named = try PartialFile(in: folder)
        // A second descriptor: at the end of this scope the first is closed and the name deleted.
        let descriptor = fcntl(named.handle.fileDescriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw KinemaError.unwritable(folder.path, errno: errno) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// All corrections and marks as a zip archive with the poses, and its size; throws `.invalidArgument` for none.
    package func labels() async throws -> (file: FileHandle, size: Int) {
        let ids = try await perform { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM session WHERE id IN (SELECT session FROM annotation WHERE kind IN ('corrections', \
                    'marks')) AND id IN (SELECT session FROM poses) ORDER BY date, id
                    """
            ).compactMap(UUID.init(uuidString:))
        }
        var labelled: [StoredSession] = []
        for id in ids {
            try Task.checkCancellation()
            guard let session = try await outline(id), LabelExport.isLabelled(session) else { continue }
            labelled.append(session)
        }
        guard !labelled.isEmpty else { throw LabelExport.nothing(nil) }
        let target = try makeUnnamedFile()
        let export = LabelExport(labelled)
        var zip = ZipFileWriter(target)
        for (name, content) in export.tables { try zip.add(content, name: name) }
        for (id, name) in export.files {
            try Task.checkCancellation()
            guard let packed = try await packedPoses(id) else { continue }
            try zip.add(try unpacked(packed), name: name)
        }
        return (target, try zip.finish())
    }

    /// A session with its corrections and marks but without events and poses.
    package func outline(_ id: UUID) async throws(KinemaError) -> StoredSession? {
        guard let full = try await summary(id) else { return nil }
        var session = StoredSession(
            id: full.id, date: full.date, mode: full.mode, source: full.source, duration: full.duration)
        (session.corrections, session.marks, session.hasPoses) = (full.corrections, full.marks, full.hasPoses)
        return session
    }

    /// A session without its poses, which may take many times their packed size and are read only to measure it once.
    package func summary(_ id: UUID) async throws(KinemaError) -> StoredSession? {
        let found = try await perform { db in try SessionRows.session(id, from: db) }
        guard found?.isUnmeasured == true else { return found }
        // One whose poses are damaged is shown without what they would tell.
        let measured = try? await session(id)
        return measured?.withoutPoses ?? found
    }

    /// Measures a set from its poses and keeps that, unless the set changed meanwhile.
    func measure(_ session: inout StoredSession) async throws(KinemaError) {
        guard let series = session.poses.flatMap(JointSeries.init),
            let measured = SetMeasurement(session, series, exercise(of: session))
        else { return }
        session.measured = measured
        let known = session.withoutPoses
        try await perform { db in
            guard var now = try SessionRows.session(known.id, from: db), now.isUnmeasured,
                now.corrections == known.corrections, now.details?.name == known.details?.name
            else { return }
            now.measured = measured
            try SessionRows.write(.measured, measured, of: known.id, into: db)
            try SessionRows.writeListed(ListedSession(now), into: db)
        }
    }

    private func exercise(of session: StoredSession) -> Exercise? {
        guard let name = session.exerciseName else { return nil }
        return exercises.exercise(name) ?? ExerciseLibrary.exercise(named: name)
    }

    package func packedPoses(_ id: UUID) async throws(KinemaError) -> Data? {
        try await perform { db in
            try Data.fetchOne(db, sql: "SELECT jsonl_gzip FROM poses WHERE session = ?", arguments: [id.uuidString])
        }
    }

    func unpacked(_ packed: Data) throws(KinemaError) -> Data {
        Data(try Gzip.unpack(Array(packed), limit: Self.posesLimit, file: file.path))
    }
}

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

extension HistoryStore {
    /// A person whose sets are stored.
    package struct Person: Sendable, Equatable, Codable, FetchableRecord {
        package var name: String
        var sessions: Int
        /// The date of the newest, in ISO 8601.
        var latest: String
    }

    /// Everyone by name, most recently trained first.
    package func people() async throws(KinemaError) -> [Person] {
        try await perform { db in
            try Person.fetchAll(
                db,
                sql: """
                    SELECT person AS name, count(*) AS sessions, max(date) AS latest FROM detail \
                    JOIN session ON session.id = detail.session WHERE typeof(person) = 'text' \
                    GROUP BY person ORDER BY latest DESC, person
                    """)
        }
    }

    package func person(of id: UUID) async throws(KinemaError) -> String? {
        try await perform { db in try Self.person(of: id, db) }
    }

    /// The names of all exercises, or of those taught from a person's sessions, with their origins.
    package func taught(by person: String? = nil) async throws(KinemaError) -> [HistoryArchive.Description.Exercise] {
        let all = exercises.names.map { HistoryArchive.Description.Exercise(name: $0, origin: exercises.origin($0)) }
        let known = try await perform { db in
            try all.map { one in
                // A note may predate the session's move to another person.
                guard let origin = one.origin, try SessionRows.isKnown(origin.session, db) else { return one }
                var one = one
                one.origin?.person = try Self.person(of: origin.session, db)
                return one
            }
        }
        guard let person else { return known }
        return known.filter { $0.origin?.person == person }
    }
}
