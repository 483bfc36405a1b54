package import Foundation
import GRDB
package import Kinema

/// The stored sessions in an SQLite file that several programs may share. Failed changes have no effect.
package struct HistoryStore: Sendable {
    package let file: URL
    let database: DatabaseQueue
    /// Bytes of the whole history; nil for no limit.
    let limit: Int?
    package let videos: HistoryFolder
    let classifiers: HistoryFolder
    let exercises: ExerciseFiles
    let log: HistoryLog
    private let place: HistoryPlace

    /// Opens or makes a history that only its owner may read. Throws `.unsupported` for one of a newer Kinema,
    /// `.unreadableInput` for an invalid one, `.unwritableOutput` if none can be made. `limit` is in bytes.
    package init(_ file: URL, limit: Int? = nil, patience: TimeInterval = 5) throws(KinemaError) {
        (self.file, self.limit) = (file, limit)
        videos = HistoryFolder(.videos, beside: file)
        classifiers = HistoryFolder(.classifiers, beside: file)
        exercises = ExerciseFiles(beside: file)
        log = HistoryLog(patience: patience)
        do {
            try HistoryFile.prepare(file)
            var configuration = Configuration()
            configuration.journalMode = .wal
            configuration.busyMode = .timeout(patience)
            configuration.label = "kinema.history"
            // Overwrite deleted data.
            configuration.prepareDatabase { db in
                try db.execute(sql: "PRAGMA secure_delete = ON")
                db.add(function: SessionFilter.function)
            }
            database = try HistoryFile.whileAlone(with: file, patience: patience) {
                try HistoryFile.check(file)
                let database = try DatabaseQueue(path: file.path, configuration: configuration)
                try HistorySchema.migrator.migrate(database)
                // GRDB sets NORMAL with a write-ahead log: a power cut could lose confirmed sessions.
                try database.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                return database
            }
            place = HistoryPlace(file)
        } catch {
            throw HistoryFile.error(error, file)
        }
    }

    /// `$KINEMA_HISTORY`, else `kinema/history.sqlite` in `$XDG_DATA_HOME`, by default in `~/.local/share`.
    package static func standardFile(environment: [String: String] = ProcessInfo.processInfo.environment) -> URL {
        if let file = environment["KINEMA_HISTORY"], !file.isEmpty { return URL(filePath: file) }
        // The XDG specification ignores relative paths.
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
            ?? URL.homeDirectory.appending(path: ".local/share")
        return data.appending(path: "kinema/history.sqlite")
    }

    /// Adds a session; throws `.unwritableOutput` if its id is known, and as ``add(_:replacing:)``.
    package func add(_ session: StoredSession) async throws(KinemaError) {
        guard try await add(session, replacing: nil) else {
            throw KinemaError(.unwritableOutput, "session \(session.id) is already stored", file: file.path)
        }
    }

    /// Adds a session atomically, even in a cancelled task, in place of the one stored under its id.
    ///
    /// False, with nothing changed, unless that is still `earlier`, as it was read; nil stands for none. Throws
    /// `.unwritableOutput` beyond the limit.
    package func add(_ session: StoredSession, replacing earlier: StoredSession?) async throws(KinemaError) -> Bool {
        let poses = session.poses.map { Data(Gzip.pack(Array($0))) }
        return try await perform { db in
            guard try SessionRows.session(session.id, from: db) == earlier?.withoutPoses else { return false }
            try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [session.id.uuidString])
            try SessionRows.insert(session, packedPoses: poses, into: db)
            try checkSize(db)
            return true
        }
    }

    /// Replaces an annotation; returns the session without poses, nil for an unknown id. Throws `.invalidArgument`, and
    /// as ``add(_:)``.
    package func annotate(_ id: UUID, _ annotation: SessionAnnotation) async throws(KinemaError) -> StoredSession? {
        let (changed, stray) = try await perform { db -> (StoredSession?, URL?) in
            guard let session = try SessionRows.session(id, from: db) else { return (nil, nil) }
            log.mark()
            try SessionRows.write(try annotation.checked(duration: session.duration), of: id, into: db)
            var changed = try SessionRows.session(id, from: db)
            if changed?.corrections != session.corrections || changed?.details?.name != session.details?.name {
                try SessionRows.write(.measured, SetMeasurement?.none, of: id, into: db)
                changed?.measured = nil
            }
            if let changed { try SessionRows.writeListed(ListedSession(changed), into: db) }
            try checkSize(db)
            if case .details = annotation { try exercises.give(id, to: changed?.details?.person) }
            return (changed, try changed.flatMap { try linkVideo(of: session, for: $0) })
        }
        if let stray { try? FileManager.default.removeItem(at: stray) }
        guard changed?.isUnmeasured == true else { return changed }
        return try await summary(id)
    }

    func checkSize(_ db: Database) throws {
        if let limit, try HistoryFile.size(db) > limit { throw HistoryFile.full(limit, file) }
    }

    /// A page of the list of sessions, newest first, after a cursor.
    package func list(
        mode: StoredSession.Mode? = nil, from: Date? = nil, to: Date? = nil, filter: SessionFilter = SessionFilter(),
        after: SessionCursor? = nil, limit: Int
    ) async throws(KinemaError) -> SessionPage {
        let choice = SessionRows.Choice(
            mode: mode, from: from, to: to, filter: filter, after: after, limit: limit + 1, includesViews: false)
        let found = try await perform { db in try SessionRows.list(choice, from: db) }
        let shown = Array(found.prefix(limit))
        return SessionPage(sessions: shown, next: found.count > limit ? shown.last.map(SessionCursor.init) : nil)
    }

    /// The workout of a person's latest set, or of nobody's, that ended less than an hour before a time; nil without one.
    package func workout(of person: String?, at date: Date) async throws(KinemaError) -> UUID? {
        let (now, earliest) = (StoredSession.text(date), StoredSession.text(date.addingTimeInterval(-3600)))
        return try await perform { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT workout FROM session JOIN detail ON detail.session = session.id WHERE person IS ? \
                    AND workout IS NOT NULL AND date <= ? AND julianday(date) + duration / 86400 >= julianday(?) \
                    ORDER BY date DESC LIMIT 1
                    """, arguments: [person, now, earliest])
        }.flatMap(UUID.init(uuidString:))
    }

    package func session(_ id: UUID) async throws(KinemaError) -> StoredSession? {
        let (session, packed) = try await perform { db in
            (
                try SessionRows.session(id, from: db),
                try Data.fetchOne(
                    db, sql: "SELECT jsonl_gzip FROM poses WHERE session = ?", arguments: [id.uuidString])
            )
        }
        guard var session else { return nil }
        if let packed { session.poses = try unpacked(packed) }
        if session.isUnmeasured { try await measure(&session) }
        return session
    }

    /// A session as a file; throws `.invalidArgument` if the format needs poses and none are stored.
    package func export(_ id: UUID, as format: SessionFormat) async throws -> ExportedFile? {
        try await session(id).map { try SessionExport(session: $0).file(format) }
    }

    /// The other views of a set, with the seconds from its first frame to theirs as their movement says.
    package func views(of id: UUID) async throws(KinemaError) -> [(session: StoredSession, offset: Double)] {
        let ids = try await perform { db in try SessionRows.views(of: id, from: db) }
        guard !ids.isEmpty, let poses = try await session(id)?.poses else { return [] }
        let set = JointSeries(lines: poses)
        var found: [(session: StoredSession, offset: Double)] = []
        for id in ids {
            guard let session = try await session(id), let view = session.view else { continue }
            let other = session.poses.flatMap { JointSeries(lines: $0) }
            found.append(
                (session, set.flatMap { set in other.flatMap { set.offset(of: $0, near: view.offset) } } ?? view.offset)
            )
        }
        return found
    }

    /// Deletes a session, and with a set its other views.
    @discardableResult package func delete(_ id: UUID) async throws(KinemaError) -> Bool {
        for view in try await perform({ db in try SessionRows.views(of: id, from: db) }) where view != id {
            try await deleteOne(view)
        }
        return try await deleteOne(id)
    }

    @discardableResult private func deleteOne(_ id: UUID) async throws(KinemaError) -> Bool {
        let (isDeleted, person) = try await perform { db in
            log.mark()
            let person = try Self.person(of: id, db)
            // From now on only the note identifies an exercise's person. On a full disk, deleting is more important.
            if try SessionRows.isKnown(id, db) { try? exercises.give(id, to: person) }
            try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id.uuidString])
            return (db.changesCount > 0, person)
        }
        // After the session is deleted; if this fails, the next start does it.
        for kind in SessionVideo.Kind.allCases { videos.remove(HistoryFolder.name(id, kind, of: person)) }
        return isDeleted
    }

    /// At most `limit` ids that begin with an abbreviation in any case.
    package func ids(beginningWith text: String, limit: Int = 10) async throws(KinemaError) -> [UUID] {
        let start = text.uppercased()
        guard !start.isEmpty, start.allSatisfy({ $0.isHexDigit || $0 == "-" }) else { return [] }
        return try await perform { db in
            try String.fetchAll(
                db, sql: "SELECT id FROM session WHERE substr(id, 1, ?) = ? ORDER BY date DESC LIMIT ?",
                arguments: [start.count, start, limit]
            ).compactMap(UUID.init(uuidString:))
        }
    }

    /// An hour of two people is 0.5 GB; damaged data must not exhaust memory.
    static let posesLimit = 2 << 30

    /// Whether deleted data may still be readable in the log, because a reader has kept it open since.
    package var hasRemains: Bool { log.hasRemains }

    /// Runs in one transaction, even in a cancelled task, and empties the log after one that deletes; throws if the database's files were replaced meanwhile.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(KinemaError) -> Value {
        let (database, file, place, log) = (database, file, place, log)
        let task = Task<Value, any Error>.detached {
            try place.check()
            let value = try await database.write(work)
            try place.check()
            if log.hasRemains { try? await database.writeWithoutTransaction { log.empty($0) } }
            return value
        }
        do {
            return try await task.value
        } catch {
            throw HistoryFile.error(error, file)
        }
    }
}

/// The identity of the open database and its write-ahead log: device and inode.
private struct HistoryPlace: Sendable {
    private let file: URL
    private let numbers: [String?]

    init(_ file: URL) {
        self.file = file
        numbers = Self.numbers(file)
    }

    func check() throws(KinemaError) {
        guard Self.numbers(file) != numbers else { return }
        throw KinemaError(
            .unwritableOutput, "was replaced or removed while it was open; restart to use the file that is there now",
            file: file.path)
    }

    private static func numbers(_ file: URL) -> [String?] {
        ["", "-wal"].map { ending in
            // Of the file that a link leads to.
            let path = URL(filePath: file.path + ending).resolvingSymlinksInPath().path
            guard let found = try? FileManager.default.attributesOfItem(atPath: path),
                let device = found[.systemNumber], let inode = found[.systemFileNumber]
            else { return nil }
            return "\(device) \(inode)"
        }
    }
}
