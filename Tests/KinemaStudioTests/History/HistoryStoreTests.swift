import KinemaHistory
import Foundation
import GRDB
import KinemaCore
import KinemaStudio
import KinemaTestSupport
import Testing

struct HistoryStoreTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("deep/history.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func day(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(number) * 86400) }

    private func mode(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func `a session comes back as it was`() async throws {
        var session = StoredSession.everything()
        session.poses = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
        try await HistoryStore(file).add(session)
        let back = try #require(try await HistoryStore(file).session(session.id))
        #expect(back == session)
        #expect(back.poses == session.poses && back.hasPoses)
    }

    @Test func `another view of a set is listed and deleted with it`() async throws {
        let store = try HistoryStore(file)
        var sessions = (0..<5).map { StoredSession(date: day($0), mode: .count, source: "camera \($0)", duration: 9) }
        sessions[1].view = SessionView(of: sessions[0].id, offset: 0.25)
        // Of a set that is not kept, and of each other.
        sessions[2].view = SessionView(of: UUID(), offset: 0)
        sessions[4].view = SessionView(of: sessions[3].id, offset: 0)
        sessions[3].details = SessionDetails()
        sessions[3].details?.person = "Ada"
        for session in sessions { try await store.add(session) }
        #expect(try await store.list(limit: 9).sessions.map(\.id) == [3, 2, 0].map { sessions[$0].id })
        let archived = try await store.sessions()
        #expect(archived.count == 5)
        sessions[0].poses = Data("x".utf8)
        #expect(try await store.add(sessions[0], replacing: archived.first { $0.id == sessions[0].id }))
        let views = try await store.views(of: sessions[0].id)
        #expect(views.map(\.session.id) == [sessions[1].id] && views.first?.offset == 0.25)
        #expect(try await store.views(of: sessions[2].id).isEmpty)
        #expect(try await store.delete(sessions[0].id))
        #expect(try await store.list(limit: 9).sessions.map(\.id) == [3, 2].map { sessions[$0].id })
        #expect(try await store.session(sessions[1].id) == nil)
        #expect(try await store.deleteAll(of: "Ada") == 2)
        #expect(try await store.sessions().map(\.id) == [sessions[2].id])
    }

    @Test func `lists are newest first without poses and of the chosen days and mode`() async throws {
        let store = try HistoryStore(file)
        var kept: [StoredSession] = []
        for number in [3, 1, 4, 2] {
            var session = StoredSession.everything(day(number))
            session.mode = number == 4 ? .toss : .coach
            session.poses = number == 3 ? Data("x".utf8) : nil
            kept.append(session)
            try await store.add(session)
        }
        let all = try await store.sessions()
        #expect(all.map(\.date) == [4, 3, 2, 1].map(day))
        #expect(all.map(\.hasPoses) == [false, true, false, false] && all.allSatisfy { $0.poses == nil })
        #expect(all[0].repetitions == kept[2].repetitions && all[0].repetitions[0].faults.count == 2)
        #expect(try await store.sessions(mode: .coach).map(\.date) == [3, 2, 1].map(day))
        #expect(try await store.sessions(from: day(2), to: day(4)).map(\.date) == [3, 2].map(day))
        #expect(try await store.sessions(mode: .coach, limit: 1).map(\.date) == [day(3)])
        #expect(try await store.sessions(limit: 0).isEmpty)
    }

    @Test func `a workout goes on for its person within an hour of the last set`() async throws {
        let store = try HistoryStore(file)
        let workout = UUID()
        var session = StoredSession.everything(day(1))
        session.duration = 600
        var details = SessionDetails()
        (details.person, details.workout) = ("Ada", workout)
        session.details = details
        try await store.add(session)
        func found(_ person: String?, after minutes: Double) async throws -> UUID? {
            try await store.workout(of: person, at: day(1).addingTimeInterval(60 * minutes))
        }
        #expect(try await found("Ada", after: 12) == workout)
        // An hour after its end, not its beginning.
        #expect(try await found("Ada", after: 69) == workout)
        #expect(try await found("Ada", after: 71) == nil)
        #expect(try await found("Ada", after: -1) == nil)
        #expect(try await found("Eva", after: 12) == nil)
        #expect(try await found(nil, after: 12) == nil)
    }

    @Test func `a stored session is only replaced as it was read`() async throws {
        let store = try HistoryStore(file)
        var session = StoredSession.everything()
        session.poses = Data("x".utf8)
        try await store.add(session)
        let read = try #require(try await store.session(session.id))
        session.repetitions.removeLast()
        session.poses = nil
        var told: KinemaError?
        do { try await store.add(session) } catch { told = error }
        #expect(told?.code == .unwritableOutput && told?.message.contains("already stored") == true)
        // A note that was written after the session was read must not be lost.
        let noted = try #require(try await store.annotate(session.id, .note("the last two were hard")))
        let isLate = try await store.add(session, replacing: read)
        #expect(!isLate)
        #expect(try await store.sessions() == [noted])
        #expect(try await store.session(session.id)?.poses == read.poses)
        let newest = try await store.session(session.id)
        let isReplaced = try await store.add(session, replacing: newest)
        #expect(isReplaced)
        #expect(try await store.sessions() == [session])
        // Deleted meanwhile.
        try await store.delete(session.id)
        let isBack = try await store.add(session, replacing: session)
        #expect(!isBack)
    }

    @Test func `deleting a session leaves none of its rows`() async throws {
        let store = try HistoryStore(file)
        var gone = StoredSession.everything()
        gone.poses = Data("x".utf8)
        let stays = StoredSession.everything(day(1))
        try await store.add(gone)
        try await store.add(stays)
        #expect(try await store.delete(gone.id))
        #expect(try await store.delete(gone.id) == false)
        #expect(try await store.session(gone.id) == nil)
        #expect(try await store.sessions() == [stays])
        // Asked of SQLite itself: 1 session, 2 repetitions, 2 faults, a hold, 2 throws, a game, a pinch, a segment, no poses.
        let database = try DatabaseQueue(path: file.path)
        let counts = try await database.read { db in
            try ["session", "event", "repetition", "fault", "hold", "throw", "pinch", "segment", "poses"].map {
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)") ?? -1
            }
        }
        #expect(counts == [1, 8, 2, 2, 1, 2, 1, 1, 0])
    }

    @Test func `what happened can be queried as tables`() async throws {
        try await HistoryStore(file).add(.everything())
        let database = try DatabaseQueue(path: file.path)
        let row = try database.read { db in
            try Row.fetchOne(
                db,
                sql: """
                    SELECT avg(ended - started) AS length, max(depth) AS depth, (SELECT group_concat(code) FROM fault) \
                    AS faults FROM repetition JOIN session ON session.id = session WHERE exercise = 'squat'
                    """)
        }
        // One by one: together they keep the compiler busy for minutes.
        let length: Double? = row?["length"]
        let depth: Double? = row?["depth"]
        let faults: String? = row?["faults"]
        #expect(length == 1.125)
        #expect(depth == 1.1)
        #expect(faults == "knees_in,bare")
    }

    @Test func `a duration that is not a number does not lose the session`() async throws {
        let store = try HistoryStore(file)
        var session = StoredSession.everything()
        session.duration = .nan
        try await store.add(session)
        let back = try #require(try await store.session(session.id))
        #expect(back.duration == 0 && back.repetitions == session.repetitions)
        #expect(try !back.json().isEmpty)
    }

    @Test func `only its owner may read it`() async throws {
        let store = try HistoryStore(file)
        try await store.add(.everything())
        #expect(try mode(file.path) == 0o600)
        #expect(try mode(folder.file("deep").path) == 0o700)
        for side in ["-wal", "-shm"] { #expect(try mode(file.path + side) == 0o600) }
    }

    @Test func `several programs may keep at once`() async throws {
        let file = file
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let store = try HistoryStore(file)
                    for number in 0..<10 {
                        try await store.add(.everything(Date(timeIntervalSince1970: Double(writer * 100 + number))))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await HistoryStore(file).sessions().count == 40)
    }

    @Test func `a cancelled task still keeps its session`() async throws {
        let store = try HistoryStore(file)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await store.add(.everything())
        }
        try await task.value
        #expect(try await store.sessions().count == 1)
    }

    @Test func `IDs are found by their beginning`() async throws {
        let store = try HistoryStore(file)
        let session = StoredSession.everything()
        try await store.add(session)
        #expect(try await store.ids(beginningWith: session.id.uuidString.prefix(6).lowercased()) == [session.id])
        #expect(try await store.ids(beginningWith: "%") == [])
        #expect(try await store.ids(beginningWith: "") == [])
    }

    @Test func `the standard place follows the environment`() {
        func place(_ environment: [String: String]) -> String {
            HistoryStore.standardFile(environment: environment).path
        }
        #expect(place(["KINEMA_HISTORY": "/a/b.sqlite", "XDG_DATA_HOME": "/x"]) == "/a/b.sqlite")
        #expect(place(["XDG_DATA_HOME": "/x"]) == "/x/kinema/history.sqlite")
        let standard = URL.homeDirectory.appending(path: ".local/share/kinema/history.sqlite").path
        #expect(place([:]) == standard && place(["XDG_DATA_HOME": "relative"]) == standard)
    }

    @Test func `a full history keeps what it has and says how to go on`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"), limit: 400_000)
        var kept: [UUID] = []
        var refusal: KinemaError?
        while refusal == nil {
            var session = StoredSession.everything()
            // Random digits do not pack.
            session.poses = Data((0..<50_000).map { _ in UInt8.random(in: 0...255) })
            do {
                try await store.add(session)
                kept.append(session.id)
            } catch {
                refusal = error
            }
            try #require(kept.count < 20)
        }
        #expect(refusal?.code == .unwritableOutput)
        #expect(refusal?.message.contains("--history-limit") == true)
        #expect(Set(try await store.sessions().map(\.id)) == Set(kept) && kept.count > 3)
        // What is deleted makes room at once.
        try await store.delete(kept[0])
        var next = StoredSession.everything()
        next.poses = Data((0..<40_000).map { _ in UInt8.random(in: 0...255) })
        try await store.add(next)
        #expect(try await store.sessions().contains { $0.id == next.id })
    }
}
