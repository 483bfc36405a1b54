@testable import KinemaHistory
import KinemaHTTP
import Foundation
import Kinema
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// The whole history over HTTP.
@Suite(.timeLimit(.minutes(5))) struct ServerArchiveTests {
    private func session() -> StoredSession {
        var session = StoredSession.everything()
        session.id = UUID()
        return session
    }

    private func post(_ studio: StudioUnderTest, _ body: [UInt8], _ fields: [String: String] = [:]) async throws
        -> RawAnswer?
    {
        let client = try await studio.client()
        defer { Task { await client.close() } }
        let fields = ["Content-Length": "\(body.count)"].merging(fields) { $1 }
        try await client.send(Array(studio.request("POST", "/api/history/archive", fields).utf8) + body)
        return try await client.answer()
    }

    @Test func `everything is exported, deleted where that is meant, and taken in again`() async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let store = try #require(studio.history)
            let kept = session()
            try await store.add(kept)
            let archive = try await studio.ask("GET", "/api/history/archive?videos=true")
            #expect(archive?.status == 200 && archive?["Content-Type"] == "application/zip")
            #expect(archive?["Content-Disposition"] == "attachment; filename=\"kinema-history.zip\"")
            let body = try #require(archive?.body)
            for (fields, text) in [
                (["Content-Length": "0"], ""), (["Content-Length": "2"], "{}"),
                (["Content-Length": "20"], #"{"confirm":"delete"}"#),
                (["X-Kinema-Confirm": "yes"], ""), ([:], ""),
            ] { try expect(400, await studio.ask("DELETE", "/api/history", fields, body: text)) }
            try expect(
                403,
                await studio.ask(
                    "DELETE", "/api/history",
                    ["X-Kinema-Confirm": "delete everything", "Origin": "http://other.example"]))
            #expect(try await store.sessions() == [kept])
            let confirmation = #"{"confirm":"delete everything"}"#
            try expect(
                204,
                await studio.ask(
                    "DELETE", "/api/history", ["Content-Length": "\(confirmation.utf8.count)"], body: confirmation))
            #expect(try await store.sessions().isEmpty)
            let first = try await post(studio, body)
            #expect(first?.status == 200 && first?.text == #"{"added":1,"known":0}"#, "\(first?.text ?? "none")")
            #expect(try await post(studio, body)?.text == #"{"added":0,"known":1}"#)
            #expect(try await store.sessions() == [kept])
            try expect(204, await studio.ask("DELETE", "/api/history", ["X-Kinema-Confirm": "delete everything"]))
            #expect(try await store.sessions().isEmpty)
        }
    }

    @Test func `an import ends when its client disconnects, and the next one is accepted`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("long.zip")
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
        var zip = ZipFileWriter(try FileHandle(forWritingTo: file))
        try zip.add(
            Data(#"{"format":"kinema-history","version":1,"classifiers":[]}"#.utf8), name: "kinema-history.json")
        var long = StoredSession.everything()
        long.repetitions = Array(repeating: long.repetitions[1], count: 10_000)
        long.count = 10_000
        let json = String(decoding: try long.json(), as: UTF8.self)
        // Seconds of work, of which the first moments are done before the client goes.
        for _ in 0..<12 {
            let id = UUID()
            try zip.add(
                Data(json.replacing(long.id.uuidString, with: id.uuidString).utf8), name: HistoryArchive.session(id))
        }
        _ = try zip.finish()
        let body = Array(try Data(contentsOf: file))
        try await StudioUnderTest.run(history: true) { studio in
            let client = try await studio.client()
            let head = studio.request("POST", "/api/history/archive", ["Content-Length": "\(body.count)"])
            try await client.send(Array(head.utf8) + body)
            await client.close()
            // Until the permit is free again; an import that went on would have kept its sessions by then.
            var answer: RawAnswer?
            repeat {
                try await Task.sleep(for: .milliseconds(20))
                answer = try await post(studio, Array("PK".utf8))
            } while answer?.status == 503
            #expect(answer?.status == 400)
            #expect(try await studio.history?.list(limit: 1).sessions.isEmpty == true)
        }
    }

    @Test func `what is no archive is refused in one line and leaves nothing`() async throws {
        try await StudioUnderTest.run(configure: { $0.limits.archiveBytes = 10_000 }, history: true) { studio in
            for (body, status) in [
                ([], 400), (Array("PK".utf8), 400), (Array(repeating: 0x50, count: 9_000), 400),
                (Array(repeating: 0, count: 10_001), 413),
            ] as [([UInt8], Int)] {
                let answer = try await post(studio, body)
                #expect(answer?.status == status && answer?.code != nil && answer?.text.contains("\n") == false)
                #expect(answer?.text.contains(studio.folder.url.path) == false)
            }
            try expect(403, await post(studio, [], ["Origin": "http://other.example"]))
            try expect(400, await studio.ask("GET", "/api/history/archive?videos=maybe"))
            try expect(405, await studio.ask("DELETE", "/api/history/archive"))
            let chunked = try await studio.ask(
                "POST", "/api/history/archive", ["Transfer-Encoding": "chunked"], body: "2\r\nPK\r\n0\r\n\r\n")
            #expect(chunked?.status == 411)
            let left = try FileManager.default.contentsOfDirectory(atPath: studio.folder.url.path)
            #expect(!left.contains { $0.hasPrefix("part-") })
        }
        try await StudioUnderTest.run { studio in
            try expect(404, await studio.ask("GET", "/api/history/archive"))
            try expect(404, await studio.ask("POST", "/api/classifiers", ["Content-Length": "0"]))
        }
    }
}
