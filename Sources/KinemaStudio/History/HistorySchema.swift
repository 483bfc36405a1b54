internal import GRDB

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
}
