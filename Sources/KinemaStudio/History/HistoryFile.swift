import Foundation
import GRDB
import KinemaCore
import KinemaMotion

/// The file of the history: made for its owner alone, looked at before it is written to, its troubles in one line.
enum HistoryFile {
    /// Makes the folder and an empty file that only its owner may read; SQLite gives its side files the same rights.
    static func prepare(_ file: URL) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) {
            if isFolder.boolValue { throw KinemaError.unwritable(file.path, errno: EISDIR) }
            return
        }
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw KinemaError.unwritable(file.path, error)
        }
        do {
            // Never in the place of a file: another program may have been quicker, which is as good.
            try Data().write(to: file, options: .withoutOverwriting)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        } catch {
            if !FileManager.default.fileExists(atPath: file.path) { throw KinemaError.unwritable(file.path, error) }
        }
    }

    /// Runs the body while no other program makes or migrates a history in the same folder; waits at most `patience` seconds
    /// for one that does.
    ///
    /// SQLite locks single writes, but making a history takes several: two programs would make the same tables. The lock is
    /// the folder's, because SQLite keeps locks of its own on the file.
    static func whileAlone<Result>(with file: URL, patience: TimeInterval, _ body: () throws -> Result) rethrows
        -> Result
    {
        let folder = open(file.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { close(folder) } }
        let deadline = ContinuousClock.now + .seconds(patience)
        while folder >= 0, flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR,
            ContinuousClock.now < deadline
        {
            Thread.sleep(forTimeInterval: 0.01)
        }
        return try body()
    }

    /// How many tables there are but the migrator's own list, which a program that is just making the history writes
    /// first.
    private static let tablesOfAnyone = "SELECT count(*) FROM sqlite_master WHERE tbl_name <> 'grdb_migrations'"

    /// Throws when the file is no history or a newer one than this build knows; writes nothing.
    static func check(_ file: URL) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let database = try DatabaseQueue(path: file.path, configuration: configuration)
        defer { try? database.close() }
        let (tables, application, isNewer) = try database.read { db in
            (
                try Int.fetchOne(db, sql: tablesOfAnyone) ?? 0,
                try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
                try HistorySchema.migrator.hasBeenSuperseded(db)
            )
        }
        guard tables > 0 else { return }
        guard application == HistorySchema.applicationID else {
            throw KinemaError(
                .unreadableInput, "is the database of another program; name another file for the history",
                file: file.path)
        }
        if isNewer {
            throw KinemaError(
                .unsupported, "was written by a newer Kinema; update this one, or name another file for the history",
                file: file.path)
        }
    }

    /// Bytes that the sessions take, their videos and the classifiers among them; room that deleted ones left is used
    /// again and counts for nothing.
    static func size(_ db: Database) throws -> Int {
        func number(_ name: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(name)") ?? 0 }
        let beside = try Int.fetchOne(
            db,
            sql: """
                SELECT coalesce((SELECT sum(json_extract(json, '$.bytes')) FROM annotation WHERE kind = 'video'), 0) \
                + coalesce((SELECT sum(bytes) FROM classifier), 0)
                """)
        return (try number("page_count") - number("freelist_count")) * (try number("page_size")) + (beside ?? 0)
    }

    /// The sessions would take more bytes than the limit.
    static func full(_ limit: Int, _ file: URL) -> KinemaError {
        KinemaError(
            .unwritableOutput,
            "the history is full: it may take \(limit / 1_000_000) MB; take sessions out (kinema history delete), or let it "
                + "take more (kinema studio --history-limit MB)", file: file.path)
    }

    /// What went wrong, in one line for people.
    static func error(_ error: any Error, _ file: URL) -> KinemaError {
        if var error = error as? KinemaError {
            error.file = error.file ?? file.path
            return error
        }
        guard let error = error as? DatabaseError else {
            return KinemaError(.analysisFailed, "the history failed: \(error)", file: file.path)
        }
        switch error.resultCode {
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            return KinemaError(
                .unreadableInput, "is damaged, or no history; move it away to begin a new one",
                file: file.path)
        case .SQLITE_FULL: return .unwritable(file.path, errno: ENOSPC)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            return KinemaError(
                .unwritableOutput, "another program has been writing to the history for long; try again",
                file: file.path)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN: return .unwritable(file.path, errno: EACCES)
        case .SQLITE_IOERR:
            return KinemaError(
                .unwritableOutput, "could not be read or written; the disk may be full or failing", file: file.path)
        default:
            return KinemaError(
                .analysisFailed, "the history failed: \(error.message ?? "\(error.resultCode)")", file: file.path)
        }
    }
}

/// The tables of the history and how older files grow into them; a version, once published, is never changed.
enum HistorySchema {
    /// Marks the file as Kinema's (`PRAGMA application_id`): "KNMA" in ASCII.
    static let applicationID = 0x4B4E_4D41

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: sessions and what happened in them") { db in
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
            try db.execute(sql: first)
        }
        migrator.registerMigration("2: events as the analyses write them") { db in
            // In these exercises the first part of a repetition is the one that lifts.
            let liftsFirst = ExerciseLibrary.all.filter { $0.motion?.phases.beginsEccentric == false }
                .map { "'\($0.name)'" }.joined(separator: ", ")
            try db.execute(sql: second(liftsFirst) + views)
        }
        migrator.registerMigration("3: what people add, videos and classifiers") { db in try db.execute(sql: third) }
        migrator.registerMigration("4: what lists show") { db in
            try db.execute(sql: fourth)
            for id in try String.fetchAll(db, sql: "SELECT id FROM session").compactMap(UUID.init(uuidString:)) {
                do {
                    let session = try SessionRows.fetch(SessionRows.Choice(id: id), from: db).first
                    if let session { try SessionRows.writeListed(ListedSession(session), into: db) }
                } catch is KinemaError {
                    // It cannot be read; the list says which it is.
                }
            }
        }
        return migrator
    }

    /// Times are seconds from the session's first frame, `date` is UTC. `position` keeps the order of what happened.
    private static let first = """
        CREATE TABLE session (
            id TEXT PRIMARY KEY NOT NULL, date TEXT NOT NULL, mode TEXT NOT NULL, source TEXT NOT NULL,
            duration REAL NOT NULL, exercise TEXT, count INTEGER NOT NULL, people INTEGER NOT NULL, drawing TEXT
        ) STRICT;
        CREATE INDEX session_by_date ON session (date);
        CREATE TABLE repetition (
            session TEXT NOT NULL REFERENCES session ON DELETE CASCADE, position INTEGER NOT NULL,
            person INTEGER NOT NULL, started REAL NOT NULL, ended REAL NOT NULL, confidence REAL, depth REAL,
            tempo_out REAL, tempo_hold REAL, tempo_back REAL,
            PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE fault (
            session TEXT NOT NULL, repetition INTEGER NOT NULL, position INTEGER NOT NULL, code TEXT NOT NULL,
            title TEXT NOT NULL, joint TEXT, phase TEXT, measured REAL, expected REAL,
            PRIMARY KEY (session, repetition, position),
            FOREIGN KEY (session, repetition) REFERENCES repetition (session, position) ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE throw (
            session TEXT NOT NULL REFERENCES session ON DELETE CASCADE, position INTEGER NOT NULL,
            type TEXT NOT NULL, speed_mps REAL, angle REAL, landing TEXT NOT NULL, score INTEGER NOT NULL,
            started REAL NOT NULL, ended REAL NOT NULL,
            PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE pinch (
            session TEXT NOT NULL REFERENCES session ON DELETE CASCADE, position INTEGER NOT NULL,
            hand TEXT NOT NULL, started REAL NOT NULL, ended REAL NOT NULL,
            PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE segment (
            session TEXT NOT NULL REFERENCES session ON DELETE CASCADE, position INTEGER NOT NULL,
            label TEXT NOT NULL, confidence REAL NOT NULL, started REAL NOT NULL, ended REAL NOT NULL,
            PRIMARY KEY (session, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE poses (
            session TEXT PRIMARY KEY NOT NULL REFERENCES session ON DELETE CASCADE,
            jsonl_gzip BLOB NOT NULL
        ) STRICT;
        """

    /// One table of events in place of five; views of the same names keep the tables' queries.
    private static func second(_ liftsFirst: String) -> String {
        """
        CREATE TABLE event (
            session TEXT NOT NULL REFERENCES session ON DELETE CASCADE, kind TEXT NOT NULL, position INTEGER NOT NULL,
            json TEXT NOT NULL, PRIMARY KEY (session, kind, position)
        ) STRICT, WITHOUT ROWID;
        CREATE TEMP VIEW old AS
            SELECT r.*, s.mode, s.exercise, s.exercise IN (\(liftsFirst)) AS lifts_first,
                row_number() OVER (PARTITION BY r.session, r.person ORDER BY r.position) AS number,
                (SELECT json_group_array(json_object('code', code, 'joint', joint, 'phase', coalesce(phase, ''),
                    'measured', coalesce(measured, 0.0), 'expected', coalesce(expected, 0.0), 'tolerance', 0.0,
                    'unit', ''))
                FROM (SELECT * FROM main.fault AS f WHERE f.session = r.session AND f.repetition = r.position
                    ORDER BY f.position)) AS faults
            FROM main.repetition AS r JOIN main.session AS s ON s.id = r.session;
        INSERT INTO event SELECT session, 'repetition', position, json_object('id', person, 'exercise', exercise,
            'number', number, 'start', started, 'end', ended, 'depth', coalesce(depth, 0.0), 'tempo', json_object(
                'eccentric', iif(lifts_first, tempo_back, tempo_out), 'pause', tempo_hold,
                'concentric', iif(lifts_first, tempo_out, tempo_back)),
            'symmetry', NULL, 'side', NULL, 'faults', json(faults))
            FROM old WHERE mode = 'coach' AND tempo_out + tempo_hold + tempo_back IS NOT NULL;
        INSERT INTO event SELECT session, 'hold', position, json_object('id', person, 'start', started, 'end', ended,
            'faults', json(faults))
            FROM old WHERE mode = 'coach' AND tempo_out + tempo_hold + tempo_back IS NULL;
        INSERT INTO event SELECT session, 'repetition', position, json_object('id', person, 'number', number,
            'start', started, 'end', ended, 'confidence', coalesce(confidence, 0.0), 'known', ended, 'delay', 0.0)
            FROM old WHERE mode <> 'coach';
        INSERT INTO event SELECT session, 'throw', position, json_object('number', position + 1, 'type', type,
            'speed_mph', round(coalesce(speed_mps, 0.0) * 3600 / 1609.344, 2), 'speed_mps', coalesce(speed_mps, 0.0),
            'angle', coalesce(angle, 0.0), 'arm_angle', NULL, 'score', score, 'landing', landing, 'start', started,
            'end', ended, 'point', json('[]'), 'path', json('[]')) FROM throw;
        INSERT INTO event SELECT session, 'pinch', position, json_object('id', 0, 'hand', nullif(hand, 'unknown'),
            'start', started, 'end', ended) FROM pinch;
        INSERT INTO event SELECT session, 'segment', position, json_object('start', started, 'end', ended,
            'label', nullif(label, ''), 'confidence', confidence) FROM segment;
        DROP VIEW temp.old;
        DROP TABLE fault;
        DROP TABLE repetition;
        DROP TABLE throw;
        DROP TABLE pinch;
        DROP TABLE segment;
        """
    }

    /// What people add to a session, as JSON of one kind each, its video among it; the classifiers learnt from marks.
    private static let third = """
        CREATE TABLE annotation (
            session TEXT NOT NULL REFERENCES session ON DELETE CASCADE, kind TEXT NOT NULL, json TEXT NOT NULL,
            PRIMARY KEY (session, kind)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE classifier (
            id TEXT PRIMARY KEY NOT NULL, name TEXT NOT NULL, date TEXT NOT NULL, bytes INTEGER NOT NULL
        ) STRICT;
        CREATE VIEW correction AS SELECT session, part.key AS position, json_extract(part.value, '$.id') AS person,
            json_extract(part.value, '$.start') AS started, json_extract(part.value, '$.end') AS ended
            FROM annotation, json_each(annotation.json) AS part WHERE kind = 'corrections';
        CREATE VIEW mark AS SELECT session, part.key AS position, json_extract(part.value, '$.label') AS label,
            json_extract(part.value, '$.id') AS person, json_extract(part.value, '$.start') AS started,
            json_extract(part.value, '$.end') AS ended
            FROM annotation, json_each(annotation.json) AS part WHERE kind = 'marks';
        """

    /// What lists show of a session, as JSON, so that a list reads none of its events.
    private static let fourth = """
        CREATE TABLE listed (
            session TEXT PRIMARY KEY NOT NULL REFERENCES session ON DELETE CASCADE, json TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The events as columns.
    private static var views: String {
        func view(_ kind: String, _ paths: KeyValuePairs<String, String>) -> String {
            let times: [(key: String, value: String)] = [("started", "start"), ("ended", "end")]
            let columns = (paths.map { ($0.key, $0.value) } + times).map {
                "json_extract(json, '$.\($0.1)') AS \($0.0)"
            }
            return """
                CREATE VIEW \(kind) AS SELECT session, position, \(columns.joined(separator: ", "))
                FROM event WHERE kind = '\(kind)';

                """
        }
        let parts = ["code", "joint", "phase", "measured", "expected", "tolerance", "unit"].map {
            "json_extract(part.value, '$.\($0)') AS \($0)"
        }
        return view(
            "repetition",
            [
                "person": "id", "confidence": "confidence", "depth": "depth", "eccentric": "tempo.eccentric",
                "pause": "tempo.pause", "concentric": "tempo.concentric",
            ]) + view("hold", ["person": "id"])
            + view(
                "throw",
                ["type": "type", "speed_mps": "speed_mps", "angle": "angle", "landing": "landing", "score": "score"])
            + view("pinch", ["hand": "hand"]) + view("segment", ["label": "label", "confidence": "confidence"])
                + """
                CREATE VIEW fault AS SELECT session, event.position AS repetition, part.key AS position,
                \(parts.joined(separator: ", ")) FROM event, json_each(event.json, '$.faults') AS part
                WHERE kind = 'repetition';
                """
    }
}
