@testable import KinemaHistory
import Foundation
import GRDB
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio

@Suite(.timeLimit(.minutes(1))) struct ServerHistoryTests {
    private struct Listed: Decodable {
        var sessions: [ListedSession]
        var next: String?
    }

    private func session(_ mode: StoredSession.Mode, at time: TimeInterval) -> StoredSession {
        var session = StoredSession(
            id: UUID(), date: Date(timeIntervalSince1970: time), mode: mode, source: "camera", duration: 3)
        session.repetitions = [Sample.counted(start: 0.5, end: 1.5)]
        session.count = 1
        return session
    }

    @Test func `sessions are listed fetched exported and deleted`() async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let store = try #require(studio.history)
            let (count, draw) = (session(.count, at: 1_000_000), session(.draw, at: 2_000_000))
            for session in [count, draw] { try await store.add(session) }
            func ids(_ query: String) async throws -> [UUID] {
                let body = try await studio.ask("GET", "/api/history" + query)?.body ?? []
                return try JSONDecoder().decode(Listed.self, from: Data(body)).sessions.map(\.id)
            }
            #expect(try await ids("") == [draw.id, count.id])
            #expect(try await ids("?limit=1") == [draw.id])
            #expect(try await ids("?mode=count") == [count.id])
            #expect(try await ids("?from=1970-01-20T00:00:00Z") == [draw.id])
            #expect(try await ids("?from=1970-01-10&to=1970-01-20T00:00:00.000Z") == [count.id])
            let fetched = try await studio.ask("GET", "/api/history/\(count.id)")
            #expect(try fetched?.body == Array(count.json()))
            let table = try await studio.ask("GET", "/api/history/\(count.id)/export?format=csv")
            #expect(table?["Content-Type"]?.hasPrefix("text/csv") == true)
            #expect(table?["Content-Disposition"]?.hasPrefix("attachment; filename=\"kinema-count-") == true)
            let poses = try await studio.ask("GET", "/api/history/\(count.id)/export?format=trc")
            #expect(poses?.status == 409)
            try expect(204, await studio.ask("DELETE", "/api/history/\(count.id)"))
            try expect(404, await studio.ask("DELETE", "/api/history/\(count.id)"))
            try expect(404, await studio.ask("GET", "/api/history/\(count.id)"))
            #expect(try await ids("") == [draw.id])
        }
    }

    @Test(arguments: [
        ("GET", "?mode=dance", 400), ("GET", "?limit=0", 400), ("GET", "?limit=x", 400), ("GET", "?from=today", 400),
        ("GET", "?from=2026-11-28T99:99:99Z", 400), ("GET", "?to=2026-02-31", 400), ("GET", "?to=2026-11-28T10", 400),
        ("GET", "?mode=%ff", 400), ("GET", "?mode=%", 400), ("GET", "?mode=%zz", 400), ("GET", "?x=%C3", 400),
        ("GET", "?mode=%00", 400), ("GET", "?after=x", 400), ("GET", "?after=2026-01-01_x", 400),
        ("GET", "/2B1E3C9C-7F0B-4E6B-9C1D-0A4F4B6D1E11/export?format=%ff", 400),
        ("GET", "/not-an-id", 404), ("GET", "/../../etc/passwd", 404), ("POST", "", 405),
        ("PUT", "/2B1E3C9C-7F0B-4E6B-9C1D-0A4F4B6D1E11", 405),
        ("GET", "/2B1E3C9C-7F0B-4E6B-9C1D-0A4F4B6D1E11/export", 400),
        ("GET", "/2B1E3C9C-7F0B-4E6B-9C1D-0A4F4B6D1E11/export?format=exe", 400),
        ("GET", "/2B1E3C9C-7F0B-4E6B-9C1D-0A4F4B6D1E11/export?format=csv", 404),
    ]) func `what has no meaning is refused`(method: String, target: String, status: Int) async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let answer = try await studio.ask(method, "/api/history" + target)
            #expect(answer?.status == status)
            #expect(answer?.code != nil)
        }
    }

    @Test func `a list is no longer than it may be`() async throws {
        try await StudioUnderTest.run(configure: { $0.limits.sessions = 2 }, history: true) { studio in
            let store = try #require(studio.history)
            for day in 1...3 { try await store.add(session(.count, at: Double(day) * 86_400)) }
            for query in ["", "?limit=3", "?limit=\(Int.max)"] {
                let body = try await studio.ask("GET", "/api/history" + query)?.body ?? []
                let part = try JSONDecoder().decode(Listed.self, from: Data(body))
                #expect(part.sessions.count == 2)
                let next = try #require(part.next)
                let rest = try await studio.ask("GET", "/api/history?after=\(next)")?.body ?? []
                let last = try JSONDecoder().decode(Listed.self, from: Data(rest))
                #expect(last.sessions.map(\.date) == ["1970-01-02T00:00:00.000Z"] && last.next == nil)
            }
        }
    }

    @Test func `more exports at once than are made are told to wait`() async throws {
        try await StudioUnderTest.run(configure: { $0.limits.exports = 0 }, history: true) { studio in
            let kept = session(.count, at: 1_000_000)
            try await studio.history?.add(kept)
            let answer = try await studio.ask("GET", "/api/history/\(kept.id)/export?format=csv")
            #expect(answer?.status == 503)
            #expect(answer?["Retry-After"] == "1")
            try expect(200, await studio.ask("GET", "/api/history/\(kept.id)"))
        }
    }

    @Test func `a history that cannot be written says why nothing was deleted`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"), patience: 0.05)
        let kept = session(.count, at: 1_000_000)
        try await store.add(kept)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let writer = try DatabaseQueue(path: store.file.path, configuration: configuration)
        try await writer.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        try await StudioUnderTest.run(store: store) { studio in
            let one = "/api/history/\(kept.id)"
            for path in [one, one + "/video", "/api/people/Ada", "/api/history"] {
                let answer = try await studio.ask("DELETE", path, ["X-Kinema-Confirm": "delete everything"])
                #expect(answer?.status == 507 && answer?.code == "not-kept", "\(path): \(answer?.text ?? "none")")
            }
            try await writer.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            try expect(204, await studio.ask("DELETE", one))
        }
    }

    @Test func `an export keeps its place until it is read`() async throws {
        try await StudioUnderTest.run(configure: { $0.limits.exports = 1 }, history: true) { studio in
            var kept = session(.count, at: 1_000_000)
            // More than the sockets hold.
            kept.poses = Data(repeating: 0x20, count: 40 << 20)
            try await studio.history?.add(kept)
            let path = "/api/history/\(kept.id)/export?format="
            let slow = try await studio.client()
            try await slow.send(studio.request("GET", path + "poses.jsonl"))
            #expect(try await slow.receive() != nil)
            try expect(503, await studio.ask("GET", path + "csv"))
            await slow.close()
            var answer: RawAnswer?
            repeat {
                try await Task.sleep(for: .milliseconds(5))
                answer = try await studio.ask("GET", path + "csv")
            } while answer?.status == 503
            expect(200, answer)
        }
    }

    @Test func `a reader of an export that is too slow loses its place`() async throws {
        try await StudioUnderTest.run(
            configure: {
                ($0.limits.exports, $0.limits.uploadRate, $0.limits.uploadWindow) = (1, 1 << 40, .milliseconds(200))
            }, history: true
        ) { studio in
            var kept = session(.count, at: 1_000_000)
            kept.poses = Data(repeating: 0x20, count: 40 << 20)
            try await studio.history?.add(kept)
            let path = "/api/history/\(kept.id)/export?format="
            let slow = try await studio.client()
            try await slow.send(studio.request("GET", path + "poses.jsonl"))
            for _ in 0..<40 {
                guard (try? await slow.receive()) != nil else { break }
                try await Task.sleep(for: .milliseconds(20))
            }
            var status = 503
            for _ in 0..<100 where status == 503 {
                try await Task.sleep(for: .milliseconds(20))
                status = try await studio.ask("GET", path + "csv")?.status ?? 503
            }
            #expect(status == 200)
        }
    }

    @Test func `a session is shown without unpacking its poses`() async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let store = try #require(studio.history)
            var kept = session(.count, at: 1_000_000)
            kept.poses = Data("{}\n".utf8)
            try await store.add(kept)
            try await store.perform { db in try db.execute(sql: "UPDATE poses SET jsonl_gzip = x'00'") }
            try expect(200, await studio.ask("GET", "/api/history/\(kept.id)"))
            let answer = try await studio.ask("GET", "/api/history/\(kept.id)/export?format=poses.jsonl")
            #expect(answer?.status != 200)
        }
    }

    @Test func `the status says what there is`() async throws {
        struct Status: Decodable {
            var version: String
            var protocols: [Int]
            var history: Bool
            var inputs: [String]
            var limits: LiveLimits
        }
        for hasHistory in [false, true] {
            try await StudioUnderTest.run(configure: { $0.version = "1.2.3" }, history: hasHistory) { studio in
                let body = try await studio.ask("GET", "/api/status")?.body ?? []
                let status = try JSONDecoder().decode(Status.self, from: Data(body))
                #expect(status.version == "1.2.3")
                #expect(status.protocols == [2])
                #expect(status.history == hasHistory)
                #expect(status.inputs == ["clip"])
                #expect(status.limits == LiveLimits())
                try expect(hasHistory ? 200 : 404, await studio.ask("GET", "/api/history"))
                try expect(405, await studio.ask("POST", "/api/status", ["Content-Length": "0"]))
            }
        }
    }
}
