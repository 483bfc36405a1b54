internal import Foundation
internal import GRDB
internal import KinemaCore

/// Sessions to rows and back.
enum SessionRows {
    /// Which sessions are wanted.
    struct Choice: Sendable {
        var id: UUID?
        var mode: KeptSession.Mode?
        var from: Date?
        var to: Date?
        var limit: Int?

        /// A query for their ids, newest first.
        static let ids = """
            SELECT id FROM session WHERE (:id IS NULL OR id = :id) AND (:mode IS NULL OR mode = :mode) \
            AND (:from IS NULL OR date >= :from) AND (:to IS NULL OR date < :to) \
            ORDER BY date DESC, id LIMIT :limit
            """

        var arguments: StatementArguments {
            // SQLite takes a negative limit for none.
            [
                "id": id?.uuidString, "mode": mode?.rawValue, "from": from.map(text), "to": to.map(text),
                "limit": limit.map { max(0, $0) } ?? -1,
            ]
        }
    }

    /// Dates sort as text, since all have the same form.
    private static func text(_ date: Date) -> String { KeptSession.text(date) }

    /// Inserts what is not there yet; a number that is none becomes null or, where one is needed, 0.
    static func insert(_ session: KeptSession, packedPoses: Data?, into db: Database) throws {
        let id = session.id.uuidString
        try db.execute(
            sql: "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                id, text(session.date), session.mode.rawValue, session.source, sure(session.duration), session.exercise,
                session.count, session.people, session.drawing,
            ])
        for (position, repetition) in session.repetitions.enumerated() {
            try insert(repetition, id, position, into: db)
        }
        for (position, one) in session.throwsMade.enumerated() {
            try db.execute(
                sql: "INSERT INTO throw VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    id, position, one.type, known(one.speedMps), known(one.angle), one.landing, one.score,
                    sure(one.start), sure(one.end),
                ])
        }
        for (position, pinch) in session.pinches.enumerated() {
            try db.execute(
                sql: "INSERT INTO pinch VALUES (?, ?, ?, ?, ?)",
                arguments: [id, position, pinch.hand, sure(pinch.start), sure(pinch.end)])
        }
        for (position, segment) in session.segments.enumerated() {
            try db.execute(
                sql: "INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [
                    id, position, segment.label, sure(segment.confidence), sure(segment.start), sure(segment.end),
                ])
        }
        if let packedPoses { try db.execute(sql: "INSERT INTO poses VALUES (?, ?)", arguments: [id, packedPoses]) }
    }

    private static func known(_ value: Double?) -> Double? { value?.isFinite == true ? value : nil }
    private static func sure(_ value: Double) -> Double { known(value) ?? 0 }

    private static func insert(
        _ repetition: KeptSession.Repetition, _ id: String, _ position: Int, into db: Database
    ) throws {
        let tempo = repetition.tempo
        try db.execute(
            sql: "INSERT INTO repetition VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                id, position, repetition.person, sure(repetition.start), sure(repetition.end),
                known(repetition.confidence),
                known(repetition.depth), known(tempo?.out), known(tempo?.hold), known(tempo?.back),
            ])
        for (number, fault) in repetition.faults.enumerated() {
            try db.execute(
                sql: "INSERT INTO fault VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                arguments: [
                    id, position, number, fault.code, fault.title, fault.joint, fault.phase, known(fault.measured),
                    known(fault.expected),
                ])
        }
    }

    /// The sessions of a choice, newest first, without poses.
    static func fetch(_ choice: Choice, from db: Database) throws -> [KeptSession] {
        func rows(_ table: String) throws -> [String: [Row]] {
            let rows = try Row.fetchAll(
                db, sql: "SELECT * FROM \(table) WHERE session IN (\(Choice.ids)) ORDER BY session, position",
                arguments: choice.arguments)
            return try Dictionary(grouping: rows) { try $0.sound("session") }
        }
        let (repetitions, faults) = (try rows("repetition"), try rows("fault"))
        let (tosses, pinches, segments) = (try rows("throw"), try rows("pinch"), try rows("segment"))
        let sessions = try Row.fetchAll(
            db,
            sql: """
                SELECT *, EXISTS (SELECT 1 FROM poses WHERE session = session.id) AS has_poses FROM session \
                WHERE id IN (\(Choice.ids)) ORDER BY date DESC, id
                """, arguments: choice.arguments)
        return try sessions.compactMap { row in
            guard var session = try session(row) else { return nil }
            let id: String = try row.sound("id")
            let ownFaults = try Dictionary(grouping: faults[id] ?? []) { try $0.sound("repetition") as Int }
            session.repetitions = try (repetitions[id] ?? []).map {
                try repetition($0, ownFaults[$0.sound("position")] ?? [])
            }
            session.throwsMade = try (tosses[id] ?? []).map(toss)
            session.pinches = try (pinches[id] ?? []).map {
                try KeptSession.Pinch(hand: $0.sound("hand"), start: $0.sound("started"), end: $0.sound("ended"))
            }
            session.segments = try (segments[id] ?? []).map {
                try KeptSession.Segment(
                    start: $0.sound("started"), end: $0.sound("ended"), label: $0.sound("label"),
                    confidence: $0.sound("confidence"))
            }
            return session
        }
    }

    private static func session(_ row: Row) throws -> KeptSession? {
        guard let id = UUID(uuidString: try row.sound("id")),
            let mode = KeptSession.Mode(rawValue: try row.sound("mode")),
            let date = try? KeptSession.dateFormat.parse(try row.sound("date"))
        else { return nil }
        var session = KeptSession(
            id: id, date: date, mode: mode, source: try row.sound("source"), duration: try row.sound("duration"))
        session.exercise = try row.known("exercise")
        session.count = try row.sound("count")
        session.people = try row.sound("people")
        session.drawing = try row.known("drawing")
        session.hasPoses = row["has_poses"]
        return session
    }

    private static func repetition(_ row: Row, _ faults: [Row]) throws -> KeptSession.Repetition {
        var tempo: KeptSession.Tempo?
        if let out: Double = try row.known("tempo_out"), let hold: Double = try row.known("tempo_hold"),
            let back: Double = try row.known("tempo_back")
        {
            tempo = KeptSession.Tempo(out: out, hold: hold, back: back)
        }
        return try KeptSession.Repetition(
            person: row.sound("person"), start: row.sound("started"), end: row.sound("ended"),
            confidence: row.known("confidence"), depth: row.known("depth"), tempo: tempo,
            faults: faults.map {
                try KeptSession.Fault(
                    code: $0.sound("code"), title: $0.sound("title"), joint: $0.known("joint"),
                    phase: $0.known("phase"),
                    measured: $0.known("measured"), expected: $0.known("expected"))
            })
    }

    private static func toss(_ row: Row) throws -> KeptSession.Throw {
        try KeptSession.Throw(
            type: row.sound("type"), speedMps: row.known("speed_mps"), angle: row.known("angle"),
            landing: row.sound("landing"), score: row.sound("score"), start: row.sound("started"),
            end: row.sound("ended"))
    }
}

/// A value of a history that may have been written by other programs: of another type, or beyond what can be summed up.
private protocol SoundValue: DatabaseValueConvertible {
    var isSound: Bool { get }
}

extension Double: SoundValue {
    fileprivate var isSound: Bool { EvenGrid.holds(self) }
}

extension Int: SoundValue {
    fileprivate var isSound: Bool { abs(Double(self)) <= 1e9 }
}

extension String: SoundValue {
    fileprivate var isSound: Bool { true }
}

extension Row {
    private var session: String {
        let id: DatabaseValue? = self["session"] ?? self["id"]
        return id.flatMap(String.fromDatabaseValue) ?? "without an id"
    }

    /// A column's value; nil where it is null. Throws `.unreadableInput` when it makes no sense.
    fileprivate func known<Value: SoundValue>(_ column: String) throws(KinemaError) -> Value? {
        guard let stored: DatabaseValue = self[column], !stored.isNull else { return nil }
        guard let value = Value.fromDatabaseValue(stored), value.isSound else {
            throw KinemaError(
                .unreadableInput,
                "the \(column) of session \(session) is \(stored), which makes no sense; kinema history delete \(session)"
            )
        }
        return value
    }

    /// The same of a column that is never null.
    fileprivate func sound<Value: SoundValue>(_ column: String) throws(KinemaError) -> Value {
        guard let value: Value = try known(column) else {
            throw KinemaError(
                .unreadableInput, "session \(session) has no \(column); kinema history delete \(session)")
        }
        return value
    }
}
