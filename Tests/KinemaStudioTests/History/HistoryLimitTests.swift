@testable import KinemaHistory
import Foundation
import GRDB
import Kinema
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// How much a session and a list of sessions may hold.
@Suite(.timeLimit(.minutes(2))) struct HistoryLimitTests {
    private let folder: TemporaryFolder
    private var archive: URL { folder.file("all.zip") }

    init() throws { folder = try TemporaryFolder() }

    private func store(_ name: String = "history") throws -> HistoryStore {
        try HistoryStore(folder.file("\(name).sqlite"))
    }

    private func write(_ sessions: [StoredSession], poses: [UUID: String] = [:]) throws {
        _ = FileManager.default.createFile(atPath: archive.path, contents: nil)
        let handle = try FileHandle(forWritingTo: archive)
        var zip = ZipFileWriter(handle)
        try zip.add(
            Data(#"{"format":"kinema-history","version":1,"classifiers":[]}"#.utf8), name: "kinema-history.json")
        for session in sessions {
            try zip.add(try session.json(), name: HistoryArchive.session(session.id))
            if let lines = poses[session.id] {
                try zip.add(Data(Gzip.pack(Array(lines.utf8))), name: HistoryArchive.poses(session.id))
            }
        }
        _ = try zip.finish()
        try handle.close()
    }

    private func refusal(_ sessions: [StoredSession], poses: [UUID: String] = [:]) async throws -> String {
        try write(sessions, poses: poses)
        let store = try store()
        var told: KinemaError?
        do { _ = try await store.importAll(from: archive) } catch { told = error }
        #expect(told?.code == .unreadableInput, "\(told as Any)")
        #expect(try await store.list(limit: 10).sessions.isEmpty)
        return told?.message ?? ""
    }

    private static func session(_ change: (inout StoredSession) -> Void) -> StoredSession {
        var session = StoredSession.everything()
        change(&session)
        return session
    }

    private static func many<Value>(_ value: Value, _ count: Int) -> [Value] { Array(repeating: value, count: count) }

    private static let lists: [(name: String, change: @Sendable (inout StoredSession) -> Void)] = {
        let sample = StoredSession.everything()
        let fault = sample.faults[0]
        return [
            ("repetitions", { $0.repetitions = many(sample.repetitions[1], 10_001) }),
            ("holds", { $0.holds = many(sample.holds[0], 10_001) }),
            ("throws", { $0.throwsMade = many(sample.throwsMade[0], 1_001) }),
            ("pinches", { $0.pinches = many(sample.pinches[0], 10_001) }),
            ("segments", { $0.segments = many(sample.segments[0], 10_001) }),
            ("faults", { $0.holds[0].faults = many(fault, 51) }),
            ("points of a path", { $0.throwsMade[0].path = many([1, 0.5, 0.5], 501) }),
            ("too many numbers", { $0.throwsMade[0].point = many(0.5, 100) }),
            ("too many numbers", { $0.throwsMade[0].path = [many(0.5, 100)] }),
            (
                "a correction can have at most",
                { $0.corrections = many(sample.corrections?[0] ?? .init(id: 1, start: 0, end: 1), 10_001) }
            ),
            ("at most", { $0.marks = many(sample.marks[0], 1_001) }),
        ]
    }()

    @Test(arguments: lists.indices) func `every list of an imported session has a limit`(_ index: Int) async throws {
        let (name, change) = Self.lists[index]
        let told = try await refusal([Self.session(change)])
        #expect(told.contains(name) && !told.contains("\n"), "\(told)")
    }

    @Test func `scores beyond any game have a chart`() throws {
        let session = Self.session { one in
            one.mode = .toss
            one.throwsMade = Self.many(one.throwsMade[0], 2)
            for index in 0..<2 { one.throwsMade[index].score = .max }
        }
        #expect(try !SessionChart(session).svg().isEmpty)
    }

    @Test func `a session with too many values is refused before it is decoded`() async throws {
        let id = UUID()
        var session = StoredSession.everything()
        session.id = id
        let zeros = String(repeating: "0,", count: 600_000) + "0"
        let json = String(decoding: try session.json(), as: UTF8.self)
            .replacing(#""point":[0.5,0.25]"#, with: #""point":[\#(zeros)]"#, maxReplacements: 1)
        _ = FileManager.default.createFile(atPath: archive.path, contents: nil)
        let handle = try FileHandle(forWritingTo: archive)
        var zip = ZipFileWriter(handle)
        try zip.add(
            Data(#"{"format":"kinema-history","version":1,"classifiers":[]}"#.utf8), name: "kinema-history.json")
        try zip.add(Data(json.utf8), name: HistoryArchive.session(id))
        _ = try zip.finish()
        try handle.close()
        await #expect(throws: KinemaError.self) { try await store().importAll(from: archive) }
    }

    @Test func `the longest lists are imported, listed in a line and exported again`() async throws {
        let sample = StoredSession.everything()
        let long = Self.session {
            $0.mode = .count
            $0.repetitions = Self.many(sample.repetitions[1], 10_000)
            $0.count = 10_000
        }
        try write([long])
        let store = try store()
        #expect(try await store.importAll(from: archive).added == 1)
        let page = try await store.list(limit: 10)
        #expect(page.sessions.map(\.outline.repetitions) == [10_000])
        #expect(try StoredSession.json(page).count < 2_000)
    }

    @Test(
        arguments: [
            ("count", { @Sendable (session: inout StoredSession) in (session.mode, session.count) = (.count, 26) }),
            ("coach", { $0.count = 26 }),
            ("toss", { ($0.mode, $0.count) = (.toss, 26) }),
            ("points", { $0.game?.total = 26 }),
        ] as [(String, @Sendable (inout StoredSession) -> Void)])
    func `a count agrees with its list`(_ what: String, _ change: @Sendable (inout StoredSession) -> Void) async throws
    {
        #expect(try await refusal([Self.session(change)]).contains("26"), "\(what)")
    }

    @Test func `the number of people in a frame of poses is limited`() async throws {
        let session = StoredSession.everything()
        let people = Self.many(#"{"id":1,"confidence":1,"keypoints":{}}"#, 201).joined(separator: ",")
        let told = try await refusal([session], poses: [session.id: #"{"time":0,"people":[\#(people)]}"# + "\n"])
        #expect(told.contains("too many people"), "\(told)")
    }

    @Test func `an import whose task is cancelled keeps nothing`() async throws {
        try write((0..<3).map { Self.session { $0.id = UUID() }.dated($0) })
        let store = try store()
        let archive = archive
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.importAll(from: archive)
        }
        let told = await task.result
        guard case .failure(let error) = told else {
            Issue.record("the import went on")
            return
        }
        #expect((error as? KinemaError)?.message.contains("not imported") == true)
        #expect(try await store.sessions().isEmpty)
    }

    @Test func `what fails at the end takes back what earlier transactions kept`() async throws {
        // More than one transaction takes, and a history that has no room for the last of them.
        let sessions = (0..<240).map { number in Self.session { $0.id = UUID() }.dated(number) }
        try write(sessions)
        let roomy = try store("roomy")
        #expect(try await roomy.importAll(from: archive).added == 240)
        let size = try await roomy.database.read { try HistoryFile.size($0) }
        let small = try HistoryStore(folder.file("small.sqlite"), limit: size * 93 / 100)
        await #expect(throws: KinemaError.self) { try await small.importAll(from: archive) }
        #expect(try await small.sessions().isEmpty)
        #expect(try await small.list(limit: 10).sessions.isEmpty)
    }

    @Test func `a list is read page by page, each session once`() async throws {
        let store = try store()
        for number in 0..<7 { try await store.add(Self.session { $0.id = UUID() }.dated(number / 2)) }
        var (ids, after, parts): ([UUID], SessionCursor?, Int) = ([], nil, 0)
        repeat {
            let page = try await store.list(after: after, limit: 3)
            #expect(page.sessions.count <= 3)
            ids += page.sessions.map(\.id)
            after = page.next
            parts += 1
            // Deleting the session that the next part follows loses no other.
            if parts == 1, let last = ids.last { try await store.delete(last) }
        } while after != nil
        #expect(parts == 3 && Set(ids).count == 7)
        #expect(try await store.sessions().map(\.id) == ids.enumerated().filter { $0.offset != 2 }.map(\.element))
    }

    @Test func `a list shows the summary of a session, also after a change, and none of its events`() async throws {
        let store = try store()
        let session = StoredSession.everything()
        try await store.add(session)
        let listed = try #require(try await store.list(limit: 1).sessions.first)
        #expect(listed == ListedSession(session))
        #expect(listed.outline.faulty == 1 && listed.outline.score == 3 && listed.outline.longestHold == 10)
        #expect(listed.outline.deepest == 1.1 && listed.outline.labels == ["squat, \"deep\""])
        let json = String(decoding: try StoredSession.json(listed), as: UTF8.self)
        #expect(!json.contains("tempo") && !json.contains("<svg") && !json.contains("path"))
        _ = try await store.annotate(session.id, .note("changed"))
        _ = try await store.annotate(session.id, .corrections([]))
        let changed = try #require(try await store.list(limit: 1).sessions.first)
        #expect(changed.note == "changed" && changed.correctedCount == 0)
    }

    @Test func `a listed set has the mean likeness of its repetitions, and none without`() {
        var session = StoredSession.everything()
        #expect(ListedSession(session).outline.likeness == nil)
        if case .coached(var one) = session.repetitions[0] {
            session.repetitions = [80.0, 90.0].map { likeness in
                one.likeness = likeness
                return .coached(one)
            }
        }
        #expect(ListedSession(session).outline.likeness == 85)
    }

    @Test func `sessions of an older history are listed too`() async throws {
        let file = folder.file("old.sqlite")
        let database = try DatabaseQueue(path: file.path)
        try HistorySchema.migrator.migrate(database, upTo: "3: what people add, videos and classifiers")
        try await database.write { db in
            try db.execute(
                sql: "INSERT INTO session VALUES ('2B1E3C9C-7F0B-4E6B-9C1D-0A4F4B6D1E11', "
                    + "'2026-03-10T12:00:00.000Z', 'draw', 'camera', 20, NULL, 2, 1, NULL)")
            try db.execute(
                sql: "INSERT INTO event VALUES ('2B1E3C9C-7F0B-4E6B-9C1D-0A4F4B6D1E11', 'pinch', 0, "
                    + #"'{"id":1,"hand":null,"start":1,"end":2}')"#)
        }
        try database.close()
        let store = try HistoryStore(file)
        #expect(try await store.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM listed") } == 1)
        #expect(try await store.list(limit: 10).sessions.map(\.outline.pinches) == [1])
    }

    @Test func `a session that grew too long is kept as far as its limits`() {
        var session = Self.session {
            ($0.mode, $0.count) = (.count, 10_005)
            $0.repetitions = Self.many($0.repetitions[1], 10_005)
        }
        #expect(session.trim() && session.count == 10_000 && session.listFault == nil)
        let trimmed = session
        #expect(!session.trim() && session == trimmed)
    }
}

extension StoredSession {
    /// The same of another day.
    fileprivate func dated(_ day: Int) -> StoredSession {
        var session = StoredSession.everything(Date(timeIntervalSince1970: Double(day) * 86_400))
        session.id = id
        return session
    }
}
