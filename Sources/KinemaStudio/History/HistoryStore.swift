package import Foundation
import GRDB
package import Kinema

/// The stored sessions, in one SQLite file that several programs may use at once.
///
/// Everything throws `KinemaError` in one line that names the file; what fails leaves the file as it was.
package struct HistoryStore: Sendable {
    /// Where the file lies.
    package let file: URL
    let database: DatabaseQueue
    /// Bytes that everything in it may take; nil for any number.
    let limit: Int?
    /// Where the videos of sessions lie.
    let videos: HistoryFolder
    /// Where the classifiers lie that were learnt from marks.
    let classifiers: HistoryFolder
    private let place: HistoryPlace

    /// Opens a history, and makes it if it does not exist; only its owner may read it.
    ///
    /// Throws `.unsupported` for one that a newer Kinema wrote, `.unreadableInput` for one that is damaged or not
    /// Kinema's, `.unwritableOutput` where none can be made. Another program's writing is waited for `patience`
    /// seconds; `limit` is how many bytes the sessions in it may take, nil any number.
    package init(_ file: URL, limit: Int? = nil, patience: TimeInterval = 5) throws(KinemaError) {
        self.file = file
        self.limit = limit
        videos = HistoryFolder(.videos, beside: file)
        classifiers = HistoryFolder(.classifiers, beside: file)
        do {
            try HistoryFile.prepare(file)
            var configuration = Configuration()
            configuration.journalMode = .wal
            configuration.busyMode = .timeout(patience)
            configuration.label = "kinema.history"
            // What was deleted is gone from the file too.
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = ON") }
            database = try HistoryFile.whileAlone(with: file, patience: patience) {
                try HistoryFile.check(file)
                let database = try DatabaseQueue(path: file.path, configuration: configuration)
                try HistorySchema.migrator.migrate(database)
                // GRDB sets NORMAL with a write-ahead log: a power cut could take what clients were told is kept.
                try database.inDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
                return database
            }
            place = HistoryPlace(file)
        } catch {
            throw HistoryFile.error(error, file)
        }
    }

    /// `$KINEMA_HISTORY`, else `kinema/history.sqlite` in `$XDG_DATA_HOME`, by default in `~/.local/share`.
    package static func standardFile(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        if let file = environment["KINEMA_HISTORY"], !file.isEmpty { return URL(filePath: file) }
        // A relative path is to be ignored, says the XDG specification.
        let data =
            environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
            ?? URL.homeDirectory.appending(path: ".local/share")
        return data.appending(path: "kinema/history.sqlite")
    }

    /// Keeps a session; one of the same id takes its place. Is done whole or not at all, even in a cancelled task.
    ///
    /// Throws `.unwritableOutput` when the history would take more than its limit: a stored session is never deleted to
    /// make room.
    package func add(_ session: StoredSession) async throws(KinemaError) {
        let poses = session.poses.map { Data(Gzip.pack(Array($0))) }
        try await perform { db in
            try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [session.id.uuidString])
            try SessionRows.insert(session, packedPoses: poses, into: db)
            try checkSize(db)
        }
    }

    /// Adds to a session what its owner says of it, in place of what was said before; returns the session without its
    /// poses, nil when there is none of that id.
    ///
    /// Throws `.invalidArgument` for what makes no sense, and as ``add(_:)`` when the history is full.
    package func annotate(_ id: UUID, _ annotation: SessionAnnotation) async throws(KinemaError) -> StoredSession? {
        try await perform { db in
            guard let session = try SessionRows.session(id, from: db) else { return nil }
            switch try annotation.checked(duration: session.duration) {
            case .corrections(let repetitions): try SessionRows.write(.corrections, repetitions, of: id, into: db)
            case .marks(let marks): try SessionRows.write(.marks, marks.isEmpty ? nil : marks, of: id, into: db)
            case .note(let text): try SessionRows.write(.note, text.isEmpty ? nil : text, of: id, into: db)
            }
            let changed = try SessionRows.session(id, from: db)
            if let changed { try SessionRows.writeListed(ListedSession(changed), into: db) }
            try checkSize(db)
            return changed
        }
    }

    /// Throws when everything takes more than it may.
    func checkSize(_ db: Database) throws {
        if let limit, try HistoryFile.size(db) > limit { throw HistoryFile.full(limit, file) }
    }

    /// The sessions from a moment on and before another, newest first, without poses.
    package func sessions(
        mode: StoredSession.Mode? = nil, from: Date? = nil, to: Date? = nil, limit: Int? = nil
    ) async throws(KinemaError) -> [StoredSession] {
        let choice = SessionRows.Choice(mode: mode, from: from, to: to, limit: limit)
        return try await perform { db in try SessionRows.fetch(choice, from: db) }
    }

    /// A part of the list of sessions, newest first: what lists show of those behind a place in it.
    package func list(
        mode: StoredSession.Mode? = nil, from: Date? = nil, to: Date? = nil, after: SessionCursor? = nil, limit: Int
    ) async throws(KinemaError) -> SessionPage {
        let choice = SessionRows.Choice(mode: mode, from: from, to: to, after: after, limit: limit + 1)
        let found = try await perform { db in try SessionRows.list(choice, from: db) }
        let shown = Array(found.prefix(limit))
        return SessionPage(sessions: shown, next: found.count > limit ? shown.last.map(SessionCursor.init) : nil)
    }

    /// One session with its poses; nil when there is none of that id.
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
        return session
    }

    /// A session as a file; nil when there is none of that id.
    ///
    /// Throws `.invalidArgument` when the format needs poses and none are stored, or nobody is in them.
    package func export(_ id: UUID, as format: SessionFormat) async throws -> ExportedFile? {
        try await session(id).map { try SessionExport(session: $0).file(format) }
    }

    /// Takes a session out; false when there was none of that id.
    @discardableResult package func delete(_ id: UUID) async throws(KinemaError) -> Bool {
        let isDeleted = try await perform { db in
            try db.execute(sql: "DELETE FROM session WHERE id = ?", arguments: [id.uuidString])
            return db.changesCount > 0
        }
        // Not before the session is gone; where this does not come to pass, the next start does it.
        for kind in SessionVideo.Kind.allCases { videos.remove(HistoryFolder.name(id, kind)) }
        return isDeleted
    }

    /// The ids that begin with a text as people abbreviate them, in any case of letters; at most `limit`.
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

    /// An hour of two people in JSON Lines is 0.5 GB; damaged bytes must not claim more than a machine has.
    static let posesLimit = 2 << 30

    /// Runs in one transaction on the database's own thread. A cancelled task does not undo what was begun.
    ///
    /// Throws when the files were replaced or removed since they were opened: SQLite goes on writing to those it has
    /// open, which nobody would ever find, or its log into a stranger's database.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Value
    ) async throws(KinemaError) -> Value {
        let (database, file, place) = (database, file, place)
        let task = Task<Value, any Error>.detached {
            try place.check()
            let value = try await database.write(work)
            try place.check()
            return value
        }
        do {
            return try await task.value
        } catch {
            throw HistoryFile.error(error, file)
        }
    }
}

/// Where an open history lies: the database and its write-ahead log, as the system numbers files.
private struct HistoryPlace: Sendable {
    private struct Number: Equatable {
        var device: dev_t
        var inode: ino_t
    }

    private let file: URL
    private let numbers: [Number?]

    init(_ file: URL) {
        self.file = file
        numbers = Self.numbers(file)
    }

    /// Throws when the paths lead to other files than at the beginning, or to none.
    func check() throws(KinemaError) {
        guard Self.numbers(file) != numbers else { return }
        throw KinemaError(
            .unwritableOutput, "was replaced or removed while it was open; start again to use what lies there now",
            file: file.path)
    }

    private static func numbers(_ file: URL) -> [Number?] {
        ["", "-wal"].map { ending in
            var status = stat()
            guard stat(file.path + ending, &status) == 0 else { return nil }
            return Number(device: status.st_dev, inode: status.st_ino)
        }
    }
}
