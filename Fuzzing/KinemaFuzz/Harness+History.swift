@testable import KinemaHistory
@testable import KinemaFormats
import Foundation
import GRDB
@testable import Kinema
@testable import KinemaStudio

/// A history that another program has changed, and archives of a history.
extension Harness {
    private static let separator = UInt8(ascii: "\n")

    /// Columns of a session and the JSON of an event, one per line: read, and exported in each format that needs no poses.
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

    /// Zip archives: reads each file in them, compressed or stored.
    static let zips = Harness(name: "zips", maximumLength: 8192) {
        [
            try archive([("a.txt", bytes("some text some text"), false), ("b/c.bin", [1, 2, 3], true)]),
            try archive([]),
        ]
    } body: { bytes in
        let url = file("a.zip", bytes)
        guard let source = try? FileHandle(forReadingFrom: url),
            let sink = FileHandle(forWritingAtPath: "/dev/null"),
            let zip = try? ZipReader(source, size: bytes.count, path: "a.zip")
        else { return }
        for entry in zip.entries {
            if let content = try? zip.content(entry, atMost: 1 << 20) {
                expect(content.count == entry.size, "a file has the size that the directory says")
            }
            _ = try? zip.beginning(entry, 64)
            try? zip.copy(entry, to: sink, at: "/dev/null")
        }
    }

    /// Archives of a history of one session, whose JSON and poses are the input: the first line, then the other lines.
    static let imports = Harness(name: "imports", maximumLength: 16384) {
        guard let id = UUID(uuidString: id) else { return [] }
        var session = StoredSession(
            id: id, date: Date(timeIntervalSince1970: 1_795_000_000), mode: .count, source: "camera", duration: 31.5)
        (session.note, session.drawing) = ("a", "<svg></svg>")
        session.corrections = [.init(id: 1, start: 0.5, end: 2)]
        session.marks = [.init(start: 1, end: 2, label: "a")]
        session.plan = .init(plan: id.uuidString, set: 1, sets: 2, target: 10)
        let whole = String(decoding: try StoredSession.json(session), as: UTF8.self)
        let parts = [
            ##""repetitions":[{"id":1,"number":1,"start":1,"end":2,"confidence":0.875,"known":2,"delay":0}]"##,
            ##""segments":[{"start":0,"end":9,"label":"a","confidence":0.5}]"##,
            ##""pinches":[{"id":1,"hand":"left","start":1,"end":2}]"##,
        ]
        let sessions =
            [whole]
            + parts.map { part in
                let name = part.prefix { $0 != ":" }
                return whole.replacingOccurrences(of: "\(name):[]", with: part)
            }
        return sessions.map { bytes($0 + "\n" + ##"{"frame":0,"time":0.5,"people":[]}"## + "\n") }
    } body: { bytes in
        let parts = bytes.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
        let about = Self.bytes(#"{"format":"kinema-history","version":1,"classifiers":[]}"#)
        let poses = Gzip.pack(parts.count > 1 ? Array(parts[1]) : [])
        guard let name = UUID(uuidString: id),
            let zip = try? archive([
                (HistoryArchive.description, about, false), (HistoryArchive.session(name), Array(parts[0]), false),
                (HistoryArchive.poses(name), poses, true),
            ])
        else { return }
        let url = file("history.zip", zip)
        guard let source = try? FileHandle(forReadingFrom: url) else { return }
        let scratch = HistoryFolder(.classifiers, beside: folder.appending(path: "history.sqlite"))
        _ = try? HistoryImport(source, size: zip.count, path: "history.zip", scratch: scratch)
    }

    private static let id = "00000000-0000-4000-8000-000000000000"

    /// A zip archive of named files, some of which are packed already.
    private static func archive(_ files: [(name: String, content: [UInt8], isPacked: Bool)]) throws -> [UInt8] {
        let url = file("made.zip", [])
        let target = try FileHandle(forWritingTo: url)
        var zip = ZipFileWriter(target)
        for file in files { try zip.add(Data(file.content), name: file.name, isPacked: file.isPacked) }
        _ = try zip.finish()
        try target.close()
        return [UInt8](try Data(contentsOf: url))
    }

    /// One database for all inputs; each is written in a transaction that is rolled back.
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
        let cells = row.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard cells.count == 7 else { return [] }
        var sessions: [StoredSession] = []
        try database.inTransaction { db in
            try? db.execute(
                sql: "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
                arguments: [id, cells[6], cells[0], cells[1], cells[2], cells[3], cells[4], cells[5]])
            try? db.execute(sql: "INSERT INTO event VALUES (?, ?, 0, ?)", arguments: [id, kind, json])
            if let id = UUID(uuidString: id), let session = try? SessionRows.session(id, from: db) {
                sessions = [session]
            }
            return .rollback
        }
        return sessions
    }
}
