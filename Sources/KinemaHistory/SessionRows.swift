import Foundation
import GRDB
import Kinema

/// Sessions to rows and back: a row for the session, and one for each event with the analysis's own JSON.
enum SessionRows {
    /// The kinds of events in the table `event`; a game is the summary of all throws.
    private enum Kind: String {
        case repetition, hold, game, pinch, segment
        case thrown = "throw"
    }

    enum AddedKind: String {
        case corrections, marks, note, plan, video, details, turn, model, measured, unjudged, view
    }

    struct Choice: Sendable {
        var mode: StoredSession.Mode?
        var from: Date?
        var to: Date?
        var filter = SessionFilter()
        /// Only sessions after this position in the list.
        var after: SessionCursor?
        var limit: Int?
        /// Whether other views of listed sets are among them.
        var includesViews = true

        static let ids = """
            SELECT id FROM session WHERE (:mode IS NULL OR mode = :mode) \
            AND (:from IS NULL OR date >= :from) AND (:to IS NULL OR date < :to) \
            AND (:person IS NULL OR id IN (SELECT session FROM detail WHERE person = :person) \
            OR id IN (SELECT session FROM view WHERE "of" IN (SELECT session FROM detail WHERE person = :person))) \
            AND (:workout IS NULL OR id IN (SELECT session FROM detail WHERE workout = :workout)) \
            AND (:exercise IS NULL OR exercise = :exercise \
            OR id IN (SELECT session FROM detail WHERE name = :exercise)) \
            AND (:words IS NULL OR id IN (SELECT session FROM listed WHERE has_words(json, :words))) \
            AND (:views OR id NOT IN (SELECT session FROM view WHERE "of" IN (SELECT id FROM session) \
            AND "of" NOT IN (SELECT session FROM view))) \
            AND (:after IS NULL OR date < :after OR (date = :after AND id > :afterID)) \
            ORDER BY date DESC, id LIMIT :limit
            """

        var arguments: StatementArguments {
            // In SQLite a negative limit means no limit.
            [
                "mode": mode?.rawValue, "from": from.map(text), "to": to.map(text),
                "after": after?.date, "afterID": after?.id, "limit": limit.map { max(0, $0) } ?? -1,
                "person": filter.person.map(SessionDetails.plain), "workout": filter.workout?.uuidString,
                "exercise": filter.exercise.map(SessionDetails.plain), "words": filter.words, "views": includesViews,
            ]
        }
    }

    private static func text(_ date: Date) -> String { StoredSession.text(date) }

    /// Inserts a new session; a duration that is not finite becomes 0.
    static func insert(_ session: StoredSession, packedPoses: Data?, into db: Database) throws {
        let id = session.id.uuidString
        try db.execute(
            sql: "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                id, text(session.date), session.mode.rawValue, session.source,
                session.duration.isFinite ? session.duration : 0, session.exercise, session.count, session.people,
                session.drawing,
            ])
        func insert(_ kind: Kind, _ events: [some Encodable]) throws {
            for (position, event) in events.enumerated() {
                try db.execute(
                    sql: "INSERT INTO event VALUES (?, ?, ?, ?)",
                    arguments: [
                        id, kind.rawValue, position, String(decoding: try StoredSession.json(event), as: UTF8.self),
                    ])
            }
        }
        try insert(.repetition, session.repetitions)
        try insert(.hold, session.holds)
        try insert(.thrown, session.throwsMade)
        try insert(.game, session.game.map { [$0] } ?? [])
        try insert(.pinch, session.pinches)
        try insert(.segment, session.segments)
        if let packedPoses { try db.execute(sql: "INSERT INTO poses VALUES (?, ?)", arguments: [id, packedPoses]) }
        for annotation in session.annotations { try write(annotation, of: session.id, into: db) }
        try write(.plan, session.plan, of: session.id, into: db)
        try write(.video, session.video, of: session.id, into: db)
        try write(.view, session.view, of: session.id, into: db)
        try write(.turn, session.turn, of: session.id, into: db)
        try write(.model, session.model, of: session.id, into: db)
        try write(.measured, session.measured, of: session.id, into: db)
        try write(.unjudged, session.unjudged.isEmpty ? nil : session.unjudged, of: session.id, into: db)
        var listed = ListedSession(session)
        listed.hasPoses = packedPoses != nil
        try writeListed(listed, into: db)
    }

    /// Writes the list entry of a session, again after each change.
    static func writeListed(_ listed: ListedSession, into db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO listed VALUES (?, ?)",
            arguments: [listed.id.uuidString, String(decoding: try StoredSession.json(listed), as: UTF8.self)])
    }

    /// The list entries of a choice of sessions, newest first.
    static func list(_ choice: Choice, from db: Database) throws -> [ListedSession] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT session.id AS id, json FROM session LEFT JOIN listed ON session = id WHERE id IN (\(Choice.ids)) \
                ORDER BY date DESC, id
                """, arguments: choice.arguments)
        return try rows.compactMap { row in
            if let json: String = row["json"],
                let listed = try? JSONDecoder().decode(ListedSession.self, from: Data(json.utf8))
            {
                return listed
            }
            // Another program wrote it. A session that cannot be read throws here.
            guard let id = UUID(uuidString: try row.value("id")) else { return nil }
            return try session(id, from: db).map(ListedSession.init)
        }
    }

    static func ids(_ choice: Choice, from db: Database) throws -> [UUID] {
        try String.fetchAll(db, sql: Choice.ids, arguments: choice.arguments).compactMap(UUID.init(uuidString:))
    }

    static func write(_ annotation: SessionAnnotation, of id: UUID, into db: Database) throws {
        switch annotation {
        case .corrections(let repetitions): try write(.corrections, repetitions, of: id, into: db)
        case .marks(let marks): try write(.marks, marks.isEmpty ? nil : marks, of: id, into: db)
        case .note(let text): try write(.note, text.isEmpty ? nil : text, of: id, into: db)
        case .details(let details): try write(.details, details, of: id, into: db)
        }
    }

    /// Replaces an annotation of a session; nil deletes it.
    static func write(_ kind: AddedKind, _ value: (some Encodable)?, of id: UUID, into db: Database) throws {
        guard let value else {
            return try db.execute(
                sql: "DELETE FROM annotation WHERE session = ? AND kind = ?",
                arguments: [id.uuidString, kind.rawValue])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO annotation VALUES (?, ?, ?)",
            arguments: [id.uuidString, kind.rawValue, String(decoding: try StoredSession.json(value), as: UTF8.self)])
    }

    /// The other views of a set.
    static func views(of id: UUID, from db: Database) throws -> [UUID] {
        try String.fetchAll(db, sql: #"SELECT session FROM view WHERE "of" = ?"#, arguments: [id.uuidString])
            .compactMap(UUID.init(uuidString:))
    }

    static func isKnown(_ id: UUID, _ db: Database) throws -> Bool {
        try Row.fetchOne(db, sql: "SELECT 1 FROM session WHERE id = ?", arguments: [id.uuidString]) != nil
    }

    static func session(_ id: UUID, from db: Database) throws -> StoredSession? {
        let arguments: StatementArguments = ["id": id.uuidString]
        try checkNumbers(of: id.uuidString, in: db)
        let found = try Row.fetchOne(
            db,
            sql: """
                SELECT *, EXISTS (SELECT 1 FROM poses WHERE session = session.id) AS has_poses FROM session \
                WHERE id = :id
                """, arguments: arguments)
        guard let found, var session = try session(of: found) else { return nil }
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM event WHERE session = :id ORDER BY kind, position", arguments: arguments)
        func events<Event: Decodable>(_ kind: Kind) throws -> [Event] {
            let parts = try rows.filter { $0["kind"] == kind.rawValue }.map { try $0.value("json") as String }
            guard !parts.isEmpty else { return [] }
            do {
                return try JSONDecoder().decode([Event].self, from: Data("[\(parts.joined(separator: ","))]".utf8))
            } catch {
                throw unreadable(kind.rawValue, of: id.uuidString)
            }
        }
        session.repetitions = try events(.repetition)
        session.holds = try events(.hold)
        session.throwsMade = try events(.thrown)
        session.game = try (events(.game) as [TossSummary]).first
        session.pinches = try events(.pinch)
        session.segments = try events(.segment)
        let added = try Row.fetchAll(
            db, sql: "SELECT * FROM annotation WHERE session = :id", arguments: arguments)
        try add(added, to: &session)
        return session
    }

    private static func add(_ rows: [Row], to session: inout StoredSession) throws {
        func value<Value: Decodable>(_ kind: AddedKind) throws -> Value? {
            guard let row = rows.first(where: { $0["kind"] == kind.rawValue }) else { return nil }
            let json: String = try row.value("json")
            guard let value = try? JSONDecoder().decode(Value.self, from: Data(json.utf8)) else {
                throw unreadable(kind.rawValue, of: session.id.uuidString)
            }
            return value
        }
        session.corrections = try value(.corrections)
        session.marks = try value(.marks) ?? []
        session.note = try value(.note) ?? ""
        session.plan = try value(.plan)
        session.video = try value(.video)
        session.details = try value(.details)
        session.view = try value(.view)
        session.turn = try value(.turn)
        session.model = try value(.model)
        // Derived values are computed anew where they cannot be read.
        session.measured = try? value(.measured)
        session.unjudged = try value(.unjudged) ?? []
    }

    private static func session(of row: Row) throws -> StoredSession? {
        guard let id = UUID(uuidString: try row.value("id")),
            let mode = StoredSession.Mode(rawValue: try row.value("mode")),
            let date = try? StoredSession.dateFormat.parse(try row.value("date"))
        else { return nil }
        var session = StoredSession(
            id: id, date: date, mode: mode, source: try row.value("source"), duration: try row.value("duration"))
        session.exercise = row["exercise"]
        session.count = try row.value("count")
        session.people = try row.value("people")
        session.drawing = row["drawing"]
        session.hasPoses = row["has_poses"]
        return session
    }

    /// Throws if an event is not JSON or has too large a number, since other programs may have written it.
    private static func checkNumbers(of id: String, in db: Database) throws {
        let range = "BETWEEN -\(TimeGrid.maximumTime) AND \(TimeGrid.maximumTime)"
        let broken = try Row.fetchOne(
            db,
            sql: """
                SELECT kind FROM event, json_tree(iif(json_valid(event.json), event.json, '[1e99]')) AS part \
                WHERE session = :id AND part.type IN ('integer', 'real') AND part.atom NOT \(range) \
                UNION ALL SELECT kind FROM annotation, \
                json_tree(iif(json_valid(annotation.json), annotation.json, '[1e99]')) AS part \
                WHERE session = :id AND part.type IN ('integer', 'real') AND part.atom NOT \(range) \
                UNION ALL SELECT 'session' FROM session WHERE id = :id \
                AND NOT (duration \(range) AND count \(range) AND people \(range)) LIMIT 1
                """, arguments: ["id": id])
        if let broken { throw unreadable(try broken.value("kind"), of: id) }
    }

    fileprivate static func unreadable(_ part: String, of session: String) -> KinemaError {
        KinemaError(
            .unreadableInput, "the \(part) of session \(session) cannot be read; kinema history delete \(session)")
    }
}

extension Row {
    /// The value of a column that is not null; throws `.unreadableInput` for another type.
    fileprivate func value<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        guard let stored: DatabaseValue = self[column], let value = Value.fromDatabaseValue(stored) else {
            let id: DatabaseValue? = self["session"] ?? self["id"]
            throw SessionRows.unreadable(column, of: id.flatMap(String.fromDatabaseValue) ?? "without an id")
        }
        return value
    }
}
