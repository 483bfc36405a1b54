import Foundation
import GRDB
@testable import KinemaStudio

/// A history that another program has written to.
extension Harness {
    private static let separator = UInt8(ascii: "\n")

    /// Columns of a session and the JSON of an event, a line each: read, and exported in each format that needs no poses.
    static let histories = Harness(name: "histories") {
        [
            #"coach;camera;31.5;squat;2;1;2026-11-21T18:45:00.000Z"# + "\n" + "repetition\n"
                + #"{"id":1,"exercise":"squat","number":1,"start":0.5,"end":1.75,"depth":1.1,"tempo":{"eccentric":0.5,"pause":0.25,"concentric":0.5},"symmetry":0.9,"side":null,"faults":[{"code":"knees_in","joint":"leftKnee","phase":"down","measured":12.5,"expected":5,"tolerance":2,"unit":"degrees"}]}"#,
            #"toss;a.mp4;9;;1;1;2026-11-21T18:45:00.000Z"# + "\n" + "throw\n"
                + #"{"number":1,"type":"underhand","speed_mps":8.94,"speed_mph":20,"angle":31,"arm_angle":null,"score":3,"landing":"hole","start":4,"end":5,"point":[0.5,0.25],"path":[[4,0.25,0.5],[5,0.5,0.25]]}"#,
            #"toss;a.mp4;9;;1;1;2026-11-21T18:45:00.000Z"# + "\n" + "game\n"
                + #"{"board":{"box":[0.7,0.2,0.2,0.1],"corners":[[0.7,0.2],[0.9,0.2],[0.9,0.3],[0.7,0.3]],"hole":null,"confidence":0.9},"line":{"distance_m":7.62,"distance_ft":25,"ends":[[0.1,0.1],[0.1,0.3]]},"aspect_ratio":1.5,"total":3,"average_speed_mps":8.94,"average_speed_mph":20,"average_angle":31,"average_arm_angle":12.5,"average_distance_m":7,"average_distance_ft":23,"top_speed_mps":8.94,"top_speed_mph":20}"#,
            #"count;b;9;;1;1;2026-11-21T18:45:00.000Z"# + "\n" + "repetition\n"
                + #"{"id":1,"number":1,"start":1,"end":2,"confidence":0.875,"known":2,"delay":0}"#,
            #"draw;b;9;;0;1;2026-11-21T18:45:00.000Z"# + "\n" + "pinch\n"
                + #"{"id":1,"hand":"left","start":1,"end":2}"#,
            #"classify;b;9;;0;1;2026-11-21T18:45:00.000Z"# + "\n" + "segment\n"
                + #"{"start":0,"end":9,"label":"a","confidence":0.5}"#,
        ].map(bytes)
    } body: { bytes in
        let lines = bytes.split(separator: separator, maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3 else { return }
        let texts = lines.map { String(decoding: $0, as: UTF8.self) }
        guard let sessions = try? stored(texts[0], kind: texts[1], json: texts[2]) else { return }
        for session in sessions {
            for format in [SessionFormat.json, .jsonl, .csv, .svg] {
                _ = try? SessionExport(session: session).file(format)
            }
        }
    }

    /// One database for all inputs: each is written in a transaction that is undone.
    private static let database: DatabaseQueue = {
        do {
            let database = try DatabaseQueue()
            try HistorySchema.migrator.migrate(database)
            return database
        } catch {
            preconditionFailure("no database: \(error)")
        }
    }()

    private static func stored(_ row: String, kind: String, json: String) throws -> [StoredSession] {
        let id = "00000000-0000-4000-8000-000000000000"
        let cells = row.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard cells.count == 7 else { return [] }
        var sessions: [StoredSession] = []
        try database.inTransaction { db in
            try? db.execute(
                sql: "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                arguments: [id, cells[6], cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]])
            try? db.execute(sql: "INSERT INTO event VALUES (?, ?, 0, ?)", arguments: [id, kind, json])
            sessions = (try? SessionRows.fetch(SessionRows.Choice(), from: db)) ?? []
            return .rollback
        }
        return sessions
    }
}
