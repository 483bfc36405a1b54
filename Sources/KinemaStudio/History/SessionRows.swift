internal import Foundation
internal import GRDB

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
            return Dictionary(grouping: rows) { $0["session"] }
        }
        let (repetitions, faults) = (try rows("repetition"), try rows("fault"))
        let (tosses, pinches, segments) = (try rows("throw"), try rows("pinch"), try rows("segment"))
        let sessions = try Row.fetchAll(
            db,
            sql: """
                SELECT *, EXISTS (SELECT 1 FROM poses WHERE session = session.id) AS has_poses FROM session \
                WHERE id IN (\(Choice.ids)) ORDER BY date DESC, id
                """, arguments: choice.arguments)
        return sessions.compactMap { row in
            guard var session = session(row) else { return nil }
            let id: String = row["id"]
            let ownFaults = Dictionary(grouping: faults[id] ?? []) { $0["repetition"] as Int }
            session.repetitions = (repetitions[id] ?? []).map { repetition($0, ownFaults[$0["position"]] ?? []) }
            session.throwsMade = (tosses[id] ?? []).map(toss)
            session.pinches = (pinches[id] ?? []).map {
                KeptSession.Pinch(hand: $0["hand"], start: $0["started"], end: $0["ended"])
            }
            session.segments = (segments[id] ?? []).map {
                KeptSession.Segment(
                    start: $0["started"], end: $0["ended"], label: $0["label"], confidence: $0["confidence"])
            }
            return session
        }
    }

    private static func session(_ row: Row) -> KeptSession? {
        guard let id = UUID(uuidString: row["id"]), let mode = KeptSession.Mode(rawValue: row["mode"]),
            let date = try? KeptSession.dateFormat.parse(row["date"])
        else { return nil }
        var session = KeptSession(id: id, date: date, mode: mode, source: row["source"], duration: row["duration"])
        session.exercise = row["exercise"]
        session.count = row["count"]
        session.people = row["people"]
        session.drawing = row["drawing"]
        session.hasPoses = row["has_poses"]
        return session
    }

    private static func repetition(_ row: Row, _ faults: [Row]) -> KeptSession.Repetition {
        var tempo: KeptSession.Tempo?
        if let out: Double = row["tempo_out"], let hold: Double = row["tempo_hold"],
            let back: Double = row["tempo_back"]
        {
            tempo = KeptSession.Tempo(out: out, hold: hold, back: back)
        }
        return KeptSession.Repetition(
            person: row["person"], start: row["started"], end: row["ended"], confidence: row["confidence"],
            depth: row["depth"], tempo: tempo,
            faults: faults.map {
                KeptSession.Fault(
                    code: $0["code"], title: $0["title"], joint: $0["joint"], phase: $0["phase"],
                    measured: $0["measured"], expected: $0["expected"])
            })
    }

    private static func toss(_ row: Row) -> KeptSession.Throw {
        KeptSession.Throw(
            type: row["type"], speedMps: row["speed_mps"], angle: row["angle"], landing: row["landing"],
            score: row["score"], start: row["started"], end: row["ended"])
    }
}
