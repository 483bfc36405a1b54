@testable import KinemaHistory
import Foundation
import GRDB
import Kinema
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// What people say of a session afterwards.
struct SessionAnnotationTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("history.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    @Test func `a history of the second version keeps its sessions and takes corrections`() async throws {
        let id = UUID()
        let database = try DatabaseQueue(path: file.path)
        try HistorySchema.migrator.migrate(database, upTo: "2: events as the analyses write them")
        try await database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO session VALUES ('\(id)', '2026-03-10T12:00:00.000Z', 'count', 'camera', 20, NULL, 1, 1, NULL);
                    INSERT INTO event VALUES ('\(id)', 'repetition', 0,
                        '{"id":1,"number":1,"start":1,"end":2.5,"confidence":0.5,"known":2.5,"delay":0}');
                    """)
        }
        try database.close()
        let store = try HistoryStore(file)
        let before = try #require(try await store.session(id))
        #expect(before.repetitions.map(\.end) == [2.5] && before.count == 1)
        #expect(before.corrections == nil && before.marks == [] && before.note == "" && before.plan == nil)
        #expect(before.video == nil)
        let word = CorrectedRepetition(id: 1, start: 1, end: 2)
        #expect(try await store.annotate(id, .corrections([word]))?.corrections == [word])
        #expect(try await HistoryStore(file).session(id)?.repetitions == before.repetitions)
    }

    @Test func `what was counted stays beside its correction, which can be taken back`() async throws {
        let store = try HistoryStore(file)
        var session = StoredSession.everything()
        (session.corrections, session.marks, session.note) = (nil, [], "")
        try await store.add(session)
        let words = [(5.0, 6.0, 2), (1.0, 2.0, 1)].map { CorrectedRepetition(id: $0.2, start: $0.0, end: $0.1) }
        let corrected = try #require(try await store.annotate(session.id, .corrections(words)))
        #expect(corrected.corrections == [words[1], words[0]])
        #expect(corrected.repetitions == session.repetitions && corrected.count == session.count)
        // To none at all is not the same as not.
        #expect(try await store.annotate(session.id, .corrections([]))?.corrections == [])
        #expect(try await store.annotate(session.id, .corrections(nil))?.corrections == nil)
        let mark = SessionMark(start: 0, end: 32.5, label: "Kniebeuge 🏋️")
        #expect(try await store.annotate(session.id, .marks([mark]))?.marks == [mark])
        #expect(try await store.annotate(session.id, .note("  easy \r\n once more\n"))?.note == "easy \n once more")
        let back = try #require(try await store.session(session.id))
        #expect(back.marks == [mark] && back.note == "easy \n once more" && back.plan == session.plan)
        #expect(try await store.annotate(UUID(), .note("x")) == nil)
    }

    @Test(
        arguments: [
            .corrections([CorrectedRepetition(id: 1, start: 2, end: 2)]),
            .corrections([CorrectedRepetition(id: 1, start: -0.1, end: 2)]),
            .corrections([CorrectedRepetition(id: 1, start: 2, end: 11.5)]),
            .corrections([CorrectedRepetition(id: 1, start: .nan, end: 2)]),
            .corrections([CorrectedRepetition(id: 1, start: 1, end: .infinity)]),
            .corrections([CorrectedRepetition(id: -1, start: 1, end: 2)]),
            .corrections([CorrectedRepetition(id: .max, start: 1, end: 2)]),
            .corrections(Array(repeating: CorrectedRepetition(id: 1, start: 1, end: 2), count: 10_001)),
            .marks([SessionMark(start: 3, end: 1, label: "a")]), .marks([SessionMark(start: 1, end: 3, label: "")]),
            .marks([SessionMark(start: 1, end: 3, label: " a")]),
            .marks([SessionMark(start: 1, end: 3, label: "a\nb")]),
            .marks([SessionMark(start: 1, end: 3, label: "a\u{202E}b")]),
            .marks([SessionMark(start: 1, end: 3, label: String(repeating: "a", count: 61))]),
            .marks([SessionMark(start: 1, end: 3, label: "a" + String(repeating: "\u{301}", count: 1000))]),
            .marks([SessionMark(start: 1, end: 3, label: "a", id: -1)]),
            .marks(Array(repeating: SessionMark(start: 1, end: 3, label: "a"), count: 1_001)),
            .note(String(repeating: "n", count: 501)), .note("a\u{1B}[31m"), .note("a\u{0}"),
            .note("a" + String(repeating: "\u{301}", count: 9000)),
        ] as [SessionAnnotation])
    func `what makes no sense for a session of ten seconds is refused in one line`(_ word: SessionAnnotation) {
        let told = #expect(throws: KinemaError.self) { _ = try word.checked(duration: 10) }
        #expect(told?.code == .invalidArgument && told?.message.contains("\n") == false)
    }

    @Test func `a full history takes no further words and keeps those it has`() async throws {
        let store = try HistoryStore(file, limit: 200_000)
        let session = StoredSession.everything()
        try await store.add(session)
        let marks = (0..<1_000).map { SessionMark(start: 0, end: 1, label: String(repeating: "\($0 % 10)", count: 60)) }
        var told: KinemaError?
        for _ in 0..<3 {
            let other = StoredSession.everything()
            do {
                try await store.add(other)
                _ = try await store.annotate(other.id, .marks(marks))
            } catch { told = error }
        }
        #expect(told?.code == .unwritableOutput && told?.message.contains("--history-limit") == true)
        #expect(try await store.session(session.id) == session)
    }

    @Test(arguments: [
        "UPDATE annotation SET json = '{}' WHERE kind = 'marks'",
        "UPDATE annotation SET json = '[1,' WHERE kind = 'note'",
        "UPDATE annotation SET json = '[{\"id\":1,\"start\":0,\"end\":1e300}]' WHERE kind = 'corrections'",
    ])
    func `words that another program broke are told with their session, which can be deleted`(_ change: String)
        async throws
    {
        let session = StoredSession.everything()
        let store = try HistoryStore(file)
        try await store.add(session)
        try await DatabaseQueue(path: file.path).write { try $0.execute(sql: change) }
        var told: KinemaError?
        do { _ = try await store.sessions() } catch { told = error }
        #expect(told?.code == .unreadableInput && told?.message.contains(session.id.uuidString) == true)
        #expect(try await store.delete(session.id))
        #expect(try await store.sessions().isEmpty)
    }

    @Test func `the exports of a corrected session say both counts`() throws {
        var session = StoredSession.everything()
        session.corrections = (0..<3).map { CorrectedRepetition(id: 1, start: Double($0), end: Double($0) + 0.5) }
        func text(_ format: SessionFormat) throws -> String {
            String(decoding: try SessionExport(session: session).file(format).bytes, as: UTF8.self)
        }
        let rows = try text(.csv).split(separator: "\n").map(String.init)
        #expect(rows[0].hasSuffix(",counted,corrected") && rows[1].hasSuffix(",2,3"))
        #expect(rows.count { $0.contains(",correction,") } == 3 && rows.count { $0.contains(",mark,") } == 1)
        #expect(try text(.json).contains(#""correctedCount":3"#) && text(.json).contains(#""count":2"#))
        #expect(try text(.jsonl).components(separatedBy: "{\"correction\":").count == 4)
        #expect(SessionChart.title(session).contains("2 repetitions counted, 3 as corrected"))
        session.corrections = nil
        #expect(SessionChart.title(session).contains("2 repetitions,"))
    }
}
