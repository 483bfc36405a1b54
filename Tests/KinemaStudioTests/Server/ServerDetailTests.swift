@testable import KinemaHistory
import KinemaHTTP
import Foundation
import GRDB
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// Names, people, loads and workouts of sets over HTTP.
@Suite(.timeLimit(.minutes(1))) struct ServerDetailTests {
    private static let workout = "2B1E3C9C-7F0B-4E6B-9C1D-0A4F4B6D1E11"
    private static let video = Array(("\0\0\0\u{20}ftypisom" + String(repeating: "v", count: 3000)).utf8)

    private func session(_ person: String? = nil, exercise: String? = nil, note: String = "") -> StoredSession {
        var session = StoredSession(
            id: UUID(), date: Date(timeIntervalSince1970: 1_000_000), mode: .coach, source: "camera", duration: 10)
        session.repetitions = [Sample.counted(start: 0.5, end: 1.5)]
        (session.count, session.exercise, session.note) = (1, exercise, note)
        session.details = person.map { name in
            var details = SessionDetails()
            details.person = name
            return details
        }
        return session
    }

    private func put(_ studio: StudioUnderTest, _ id: UUID, _ body: String) async throws -> RawAnswer? {
        try await studio.ask(
            "PUT", "/api/history/\(id)/details", ["Content-Length": "\(body.utf8.count)"], body: body)
    }

    @Test func `a set gets details, and loses those that are left out`() async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let kept = session()
            try await studio.history?.add(kept)
            let all = """
                {"name":" Goblet squat ","person":"Zoe\\u0308","load":{"value":12.5,"unit":"kg"},"effort":7.5,"pain":0,
                "workout":"\(Self.workout.lowercased())"}
                """
            let answer = try await put(studio, kept.id, all)
            #expect(answer?.status == 200, "\(answer?.text ?? "none")")
            let stored = """
                "details":{"effort":7.5,"load":{"unit":"kg","value":12.5},"name":"Goblet squat","pain":0,"person":"Zoë",\
                "workout":"\(Self.workout)"}
                """
            #expect(answer?.text.contains(stored) == true)
            #expect(try await studio.ask("GET", "/api/history")?.text.contains(stored) == true)
            #expect(try await studio.ask("GET", "/api/history/\(kept.id)")?.text.contains(stored) == true)
            let people = try await studio.ask("GET", "/api/people")?.text
            #expect(
                people == #"{"people":[{"latest":"1970-01-12T13:46:40.000Z","name":"Zoë","sessions":1}]}"#)
            #expect(
                try await put(studio, kept.id, #"{"name":"Squat","person":""}"#)?.text.contains(
                    #""details":{"name":"Squat"}"#) == true)
            #expect(try await studio.ask("GET", "/api/people")?.text == #"{"people":[]}"#)
            #expect(try await put(studio, kept.id, "{}")?.text.contains("details") == false)
            #expect(try await studio.history?.session(kept.id) == kept)
            try expect(404, await put(studio, UUID(), "{}"))
            try expect(405, await studio.ask("GET", "/api/history/\(kept.id)/details"))
        }
    }

    private static let refused = [
        "", "[]", #"{"name":7}"#, #"{"name":"a\u0007"}"#, #"{"name":"a\nb"}"#, #"{"person":"a\u202eb"}"#,
        #"{"name":""# + String(repeating: "x", count: 61) + #""}"#, #"{"person":".."}"#,
        #"{"person":""# + String(repeating: "\u{301}", count: 121) + #""}"#,
        #"{"load":5}"#, #"{"load":{"value":5}}"#, #"{"load":{"value":5,"unit":"stone"}}"#,
        #"{"load":{"value":-1,"unit":"kg"}}"#, #"{"load":{"value":2001,"unit":"kg"}}"#,
        #"{"load":{"value":1e999,"unit":"kg"}}"#, #"{"effort":0}"#, #"{"effort":10.5}"#, #"{"effort":7.3}"#,
        #"{"effort":"7"}"#, #"{"pain":-1}"#, #"{"pain":11}"#, #"{"pain":1.5}"#, #"{"workout":"x"}"#,
    ]

    @Test(arguments: refused) func `invalid details are refused and change nothing`(body: String) async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let kept = session("Ada")
            try await studio.history?.add(kept)
            let answer = try await put(studio, kept.id, body)
            #expect(answer?.status == 400 && answer?.code == "bad-request", "\(answer?.text ?? "none")")
            #expect(try await studio.history?.session(kept.id) == kept)
        }
    }

    @Test func `a list is filtered by person, exercise or name, workout and words`() async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let (ada, ben) = (
                session("Ada", exercise: "squat", note: "Rücken gerade"), session("Ben & Co", exercise: "plank")
            )
            var named = session("Ada")
            named.details?.name = "Carry"
            named.details?.workout = UUID(uuidString: Self.workout)
            for one in [ada, ben, named, session()] { try await studio.history?.add(one) }
            func found(_ query: String) async throws -> Set<UUID> {
                let answer = try await studio.ask("GET", "/api/history?\(query)")
                #expect(answer?.status == 200, "\(query)")
                return Set(
                    try JSONDecoder().decode(SessionPage.self, from: Data(answer?.body ?? [])).sessions.map(\.id))
            }
            #expect(try await found("person=Ada") == [ada.id, named.id])
            #expect(try await found("person=Ben%20%26%20Co") == [ben.id])
            #expect(try await found("person=ada").isEmpty)
            #expect(try await found("exercise=Carry") == [named.id])
            #expect(try await found("exercise=plank") == [ben.id])
            #expect(try await found("workout=\(Self.workout.lowercased())") == [named.id])
            #expect(try await found("search=RUCKEN+ada") == [ada.id])
            #expect(try await found("search=carry&person=Ada") == [named.id])
            #expect(try await found("search=%25").isEmpty)
            #expect(try await found("limit=1&person=Ada").count == 1)
            for query in ["workout=x", "person=%07", "exercise=%0a", "search=" + String(repeating: "x", count: 201)] {
                try expect(400, await studio.ask("GET", "/api/history?\(query)"))
            }
        }
    }

    @Test func `a person's videos lie in a folder, which goes with everything of theirs`() async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let store = try #require(studio.history)
            let (first, other) = (session("Ada/1"), session("Ben"))
            for one in [first, other] { try await store.add(one) }
            let videos = studio.folder.file("history.videos")
            let clip = studio.folder.file("clip.mp4")
            try Data(Self.video).write(to: clip)
            for one in [first, other] { _ = try await store.keepVideo(one.id, copying: clip) }
            func files() -> Set<String> { Set(FileManager.default.subpaths(atPath: videos.path) ?? []) }
            let (ada, ben) = (HistoryFolder.folder(of: "Ada/1"), HistoryFolder.folder(of: "Ben"))
            #expect(ada.hasPrefix("Ada_1-"))
            #expect(files() == [ada, "\(ada)/\(first.id).mp4", ben, "\(ben)/\(other.id).mp4"])
            let archive = try await studio.ask("GET", "/api/people/Ada%2F1/archive?videos=true")
            #expect(archive?.status == 200)
            // A video follows its session to another person.
            try expect(200, await put(studio, other.id, #"{"person":"Ada/1"}"#))
            try await store.removeStrays()
            #expect(files() == [ada, "\(ada)/\(first.id).mp4", "\(ada)/\(other.id).mp4"])
            #expect(try await studio.ask("GET", "/api/history/\(other.id)/video")?.body == Self.video)
            try expect(200, await put(studio, other.id, "{}"))
            #expect(files() == [ada, "\(ada)/\(first.id).mp4", "\(other.id).mp4"])
            for (fields, body) in [([:], ""), (["Content-Length": "2"], "{}")] as [([String: String], String)] {
                try expect(400, await studio.ask("DELETE", "/api/people/Ada%2F1", fields, body: body))
            }
            let confirmed = ["X-Kinema-Confirm": "delete everything"]
            try expect(404, await studio.ask("DELETE", "/api/people/Ben", confirmed))
            try expect(404, await studio.ask("GET", "/api/people/Ben/archive"))
            try expect(405, await studio.ask("GET", "/api/people/Ada%2F1"))
            try expect(204, await studio.ask("DELETE", "/api/people/Ada%2F1", confirmed))
            #expect(files() == ["\(other.id).mp4"])
            #expect(try await store.sessions().map(\.id) == [other.id])
            let bytes = try Data(contentsOf: studio.folder.file("history.sqlite"))
            #expect(bytes.range(of: Data("Ada/1".utf8)) == nil)
            // What was exported brings back theirs alone.
            let file = studio.folder.file("ada.zip")
            try Data(archive?.body ?? []).write(to: file)
            #expect(try await store.importAll(from: file) == ImportResult(added: 1, known: 0))
            #expect(files() == ["\(other.id).mp4", ada, "\(ada)/\(first.id).mp4"])
        }
    }

    @Test func `deleted data leave the log, at the latest when no other program reads it`() async throws {
        let findings = DiagnosticCollector()
        try await StudioUnderTest.run(configure: { $0.report = { findings.report($0) } }, history: true) { studio in
            let store = try #require(studio.history)
            let file = studio.folder.file("history.sqlite")
            func log() throws -> Data { try Data(contentsOf: URL(filePath: file.path + "-wal")) }
            let (first, second) = (session("Ada Lovelace", note: "private words"), session("Ada Lovelace"))
            for one in [first, second] { try await store.add(one) }
            #expect(try log().range(of: Data("private words".utf8)) != nil)
            _ = try await store.annotate(first.id, .note("other"))
            #expect(try log().isEmpty)
            _ = try await store.annotate(first.id, .note("again"))
            try expect(204, await studio.ask("DELETE", "/api/history/\(second.id)"))
            #expect(try log().isEmpty && findings.diagnostics.isEmpty)
            // Another program reads.
            try await store.add(session("Ada Lovelace"))
            var configuration = Configuration()
            configuration.allowsUnsafeTransactions = true
            let reader = try DatabaseQueue(path: file.path, configuration: configuration)
            try await reader.writeWithoutTransaction { db in
                try db.execute(sql: "BEGIN")
                _ = try Row.fetchAll(db, sql: "SELECT * FROM session")
            }
            let confirmed = ["X-Kinema-Confirm": "delete everything"]
            try expect(204, await studio.ask("DELETE", "/api/people/Ada%20Lovelace", confirmed))
            #expect(findings.diagnostics.map(\.code) == ["history.remains"] && store.hasRemains)
            #expect(try log().range(of: Data("Ada Lovelace".utf8)) != nil)
            try await reader.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            // The next transaction tries again; so does the first after a start.
            _ = try await store.list(limit: 1)
            #expect(try log().isEmpty && !store.hasRemains)
            try await store.add(session("Ben"))
            #expect(try !log().isEmpty)
            _ = try await HistoryStore(file).list(limit: 1)
            #expect(try log().isEmpty)
        }
    }

    @Test func `a history of the fourth version takes details, and finds by them`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("history.sqlite")
        let database = try DatabaseQueue(path: file.path)
        try HistorySchema.migrator.migrate(database, upTo: "4: what lists show")
        let old = session()
        try await database.write { try SessionRows.insert(old, packedPoses: nil, into: $0) }
        try database.close()
        let store = try HistoryStore(file)
        #expect(try await store.session(old.id) == old)
        let details = try #require(session("Ada").details)
        #expect(try await store.annotate(old.id, .details(details))?.details == details)
        let page = try await store.list(filter: SessionFilter(person: "Ada"), limit: 10)
        #expect(page.sessions.map(\.details) == [details])
        let plan = try await store.database.read { db in
            try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN SELECT session FROM detail WHERE person = 'Ada'")
                .compactMap { $0["detail"] as String? }
        }
        #expect(plan.contains { $0.contains("detail_by_person") })
    }

    @Test func `a set starts with its details`() throws {
        let start = #"{"type":"start","mode":"count","source":{"kind":"browser"},"details":"#
        guard
            case .start(let request) = try ClientMessage(
                start + #"{"name":" curl ","load":{"value":2,"unit":"band"}}}"#)
        else { throw KinemaError(.invalidArgument, "not a start") }
        #expect(request.details?.name == "curl" && request.details?.load?.unit == .band)
        #expect(throws: LiveProblem.self) { try ClientMessage(start + #"{"effort":11}}"#) }
        #expect(throws: LiveProblem.self) { try ClientMessage(start + #"{"name":"a\u0007"}}"#) }
    }

    @Test func `a client's name for a source is one that an archive takes`() {
        for name in ["\u{1B}[2J\u{202E}camera", "e" + String(repeating: "\u{301}", count: 5_000)] {
            for source in [StartRequest.Source.browser(name: name), .input(name: name)] {
                let shown = source.displayName
                #expect(
                    shown.utf8.count <= PlainText.nameBytes && !shown.unicodeScalars.contains(where: PlainText.isHidden)
                )
            }
        }
    }

    @Test func `the skeleton of a list is the middle repetition's at its turn`() throws {
        var session = session()
        session.repetitions = [0.0, 2, 4].map { Sample.counted(start: $0, end: $0 + 2) }
        func line(_ frame: Int) -> String {
            // Down by a tenth at each middle, and most in the second repetition.
            let time = Double(frame) / 10
            let depth = (1 - abs(time.truncatingRemainder(dividingBy: 2) - 1)) * (2..<4 ~= time ? 0.3 : 0.1)
            return #"{"frame":\#(frame),"time":\#(time),"people":[{"id":1,"confidence":1,"keypoints":"#
                + #"{"leftHip":[0.5,\#(0.6 - depth),0.9],"leftKnee":[0.5,0.3,0.1]}}],"hands":[],"width":640,"height":480}"#
        }
        session.poses = Data((0..<60).map { line($0) + "\n" }.joined().utf8)
        let turn = try #require(TurnSkeleton(session))
        #expect(turn == TurnSkeleton(shape: 1.333, keypoints: ["leftHip": [0.5, 0.3]]))
        session.poses = nil
        #expect(TurnSkeleton(session) == nil)
        #expect(!TurnSkeleton(shape: 1, keypoints: ["leftHip": [0.5, 9]]).isValid)
        #expect(!TurnSkeleton(shape: 1, keypoints: ["leftHip": [0.5]]).isValid)
    }
}
