import KinemaCounting
import Foundation
import GRDB
import KinemaCore

/// The tables of the history and their migrations; a published version never changes.
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
            // Exercises that begin with the concentric phase.
            let liftsFirst = ExerciseLibrary.all.filter { $0.motion?.phases.beginsEccentric == false }
                .map { "'\($0.name)'" }.joined(separator: ", ")
            try db.execute(sql: second(liftsFirst) + views)
        }
        migrator.registerMigration("3: what people add, videos and classifiers") { db in try db.execute(sql: third) }
        migrator.registerMigration("4: what lists show") { db in
            try db.execute(sql: fourth)
            for id in try String.fetchAll(db, sql: "SELECT id FROM session").compactMap(UUID.init(uuidString:)) {
                do {
                    if let session = try SessionRows.session(id, from: db) {
                        try SessionRows.writeListed(ListedSession(session), into: db)
                    }
                } catch is KinemaError {
                    // The list names sessions that cannot be read.
                }
            }
        }
        migrator.registerMigration("5: names, people and workouts of sets") { db in try db.execute(sql: fifth) }
        migrator.registerMigration("6: other views of sets") { db in try db.execute(sql: sixth) }
        return migrator
    }

    /// Times are seconds from the session's first frame, `date` is UTC. `position` keeps the order of events.
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

    /// Annotations and videos of sessions, as JSON of one kind each; trained classifiers.
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

    /// The list entry of each session as JSON, so that a list reads no events.
    private static let fourth = """
        CREATE TABLE listed (
            session TEXT PRIMARY KEY NOT NULL REFERENCES session ON DELETE CASCADE, json TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        """

    /// The details of sets, which are annotations, found by person and workout.
    private static let fifth = """
        CREATE VIEW detail AS SELECT session, json_extract(json, '$.name') AS name,
            json_extract(json, '$.person') AS person, json_extract(json, '$.load.value') AS load,
            json_extract(json, '$.load.unit') AS unit, json_extract(json, '$.effort') AS effort,
            json_extract(json, '$.pain') AS pain, json_extract(json, '$.workout') AS workout
            FROM annotation WHERE kind = 'details';
        CREATE INDEX detail_by_person ON annotation (json_extract(json, '$.person')) WHERE kind = 'details';
        CREATE INDEX detail_by_workout ON annotation (json_extract(json, '$.workout')) WHERE kind = 'details';
        """

    /// Sessions that show the set of another one, which are annotations, found by it.
    private static let sixth = """
        CREATE VIEW view AS SELECT session, json_extract(json, '$.of') AS "of", json_extract(json, '$.offset') AS "offset"
            FROM annotation WHERE kind = 'view';
        CREATE INDEX view_by_set ON annotation (json_extract(json, '$.of')) WHERE kind = 'view';
        """

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
