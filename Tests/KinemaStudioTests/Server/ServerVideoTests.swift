@testable import KinemaHistory
import KinemaHTTP
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// The video that is kept with a session.
@Suite(.timeLimit(.minutes(1))) struct ServerVideoTests {
    private static let mp4 = "\0\0\0\u{20}ftypisom" + String(repeating: "v", count: 3000)
    /// The head of EBML with WebM's type.
    private static let webm =
        [0x1A, 0x45, 0xDF, 0xA3, 0x87, 0x42, 0x82, 0x84] + Array("webm".utf8) + Array(repeating: 0x76, count: 3000)

    private func session() -> StoredSession {
        var session = StoredSession(date: Date(timeIntervalSince1970: 1_000_000), mode: .count, source: "camera")
        session.repetitions = [Sample.counted(start: 0.5, end: 1.5)]
        return session
    }

    private func put(
        _ studio: StudioUnderTest, _ id: UUID, _ type: String, _ body: [UInt8], _ fields: [String: String] = [:]
    ) async throws -> RawAnswer? {
        let client = try await studio.client()
        defer { Task { await client.close() } }
        let fields = ["Content-Length": "\(body.count)", "Content-Type": type].merging(fields) { $1 }
        try await client.send(Array(studio.request("PUT", "/api/history/\(id)/video", fields).utf8) + body)
        return try await client.answer()
    }

    private func files(_ studio: StudioUnderTest) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: studio.folder.file("history.videos").path))?.sorted()
            ?? []
    }

    private func mode(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test func `a video is kept beside the history, played in parts, replaced and deleted`() async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let store = try #require(studio.history)
            let kept = session()
            try await store.add(kept)
            let address = "/api/history/\(kept.id)/video"
            try expect(404, await studio.ask("GET", address))
            let answer = try await put(studio, kept.id, "video/webm;codecs=vp9", Self.webm)
            #expect(answer?.status == 200, "\(answer?.text ?? "none")")
            #expect(answer?.text.contains(#""video":{"bytes":3012,"type":"video/webm"}"#) == true)
            #expect(files(studio) == ["\(kept.id).webm"])
            #expect(try mode(studio.folder.file("history.videos")) == 0o700)
            #expect(try mode(studio.folder.file("history.videos/\(kept.id).webm")) == 0o600)
            let whole = try await studio.ask("GET", address)
            #expect(whole?["Content-Type"] == "video/webm" && whole?.body == Self.webm)
            let part = try await studio.ask("GET", address, ["Range": "bytes=4-11"])
            #expect(part?.status == 206 && part?.body == Array(Self.webm[4...11]))
            try expect(416, await studio.ask("GET", address, ["Range": "bytes=4000-"]))
            // Another kind takes its place.
            try expect(200, await put(studio, kept.id, "video/mp4", Array(Self.mp4.utf8)))
            #expect(files(studio) == ["\(kept.id).mp4"])
            try expect(204, await studio.ask("DELETE", address))
            try expect(404, await studio.ask("DELETE", address))
            #expect(files(studio) == [])
            #expect(try await store.session(kept.id)?.video == nil)
            // With its session it goes as well.
            try expect(200, await put(studio, kept.id, "video/mp4", Array(Self.mp4.utf8)))
            try expect(204, await studio.ask("DELETE", "/api/history/\(kept.id)"))
            #expect(files(studio) == [])
        }
    }

    @Test func `a file that is not a video of its type is refused and leaves nothing`() async throws {
        try await StudioUnderTest.run(configure: { $0.limits.live.uploadBytes = 5000 }, history: true) { studio in
            let kept = session()
            try await studio.history?.add(kept)
            let mp4 = Array(Self.mp4.utf8)
            for (type, body, status) in [
                ("video/webm", mp4, 415), ("video/mp4", Self.webm, 415), ("video/ogg", mp4, 415),
                ("text/html", mp4, 415),
                ("", mp4, 415), ("video/mp4", Array("<html>".utf8), 415), ("video/mp4", [], 415),
                ("video/mp4", Array(mp4.prefix(6)), 415), ("video/mp4", mp4 + mp4, 413),
                ("video/webm", Array("#EXTM3U\nfile:///etc/passwd\n".utf8), 415),
            ] {
                let answer = try await put(studio, kept.id, type, body)
                #expect(
                    answer?.status == status && answer?.code != nil, "\(type) \(body.count): \(answer?.text ?? "none")")
            }
            let chunked = try await studio.ask(
                "PUT", "/api/history/\(kept.id)/video",
                ["Transfer-Encoding": "chunked", "Content-Type": "video/mp4"], body: "4\r\nabcd\r\n0\r\n\r\n")
            #expect(chunked?.status == 411)
            try expect(404, await put(studio, UUID(), "video/mp4", mp4))
            try expect(405, await studio.ask("POST", "/api/history/\(kept.id)/video", ["Content-Length": "0"]))
            #expect(files(studio) == [])
            #expect(try await studio.history?.session(kept.id)?.video == nil)
        }
    }

    @Test func `an interrupted video leaves nothing`() async throws {
        try await StudioUnderTest.run(history: true) { studio in
            let kept = session()
            try await studio.history?.add(kept)
            let client = try await studio.client()
            let fields = ["Content-Length": "100000", "Content-Type": "video/mp4"]
            try await client.send(studio.request("PUT", "/api/history/\(kept.id)/video", fields) + Self.mp4)
            while files(studio).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            await client.close()
            while !files(studio).isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try await studio.history?.session(kept.id)?.video == nil)
        }
    }

    @Test func `more videos at once than are taken are told to wait`() async throws {
        try await StudioUnderTest.run(configure: { $0.limits.uploads = 0 }, history: true) { studio in
            let kept = session()
            try await studio.history?.add(kept)
            try expect(429, await put(studio, kept.id, "video/mp4", Array(Self.mp4.utf8)))
        }
    }
}

/// Videos in the history's own terms.
struct HistoryVideoTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("history.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func video(_ bytes: Int) throws -> URL {
        let url = folder.file("clip")
        try (Data("\0\0\0\u{20}ftypisom".utf8) + Data(repeating: 7, count: bytes - 12)).write(to: url)
        return url
    }

    /// A session of nobody, whose video lies in no folder of its own.
    private func nobodys() -> StoredSession {
        var session = StoredSession.everything()
        session.details = nil
        return session
    }

    @Test func `videos count into what the history may take`() async throws {
        let store = try HistoryStore(file, limit: 400_000)
        let session = nobodys()
        try await store.add(session)
        #expect(try await store.keepVideo(session.id, copying: video(200_000))?.bytes == 200_000)
        // In its own place there is room for it again.
        #expect(try await store.keepVideo(session.id, copying: video(210_000))?.bytes == 210_000)
        let other = nobodys()
        try await store.add(other)
        var told: KinemaError?
        do { _ = try await store.keepVideo(other.id, copying: video(200_000)) } catch { told = error as? KinemaError }
        #expect(told?.code == .unwritableOutput && told?.message.contains("--history-limit") == true)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.file("history.videos").path)
        #expect(left == ["\(session.id).mp4"])
        #expect(try await store.session(other.id)?.video == nil)
    }

    @Test func `files of no session go at the next start and what is being written stays`() async throws {
        let store = try HistoryStore(file)
        let (kept, lost) = (nobodys(), nobodys())
        for session in [kept, lost] {
            try await store.add(session)
            _ = try await store.keepVideo(session.id, copying: video(1_000))
        }
        let videos = folder.file("history.videos")
        for name in ["\(UUID()).webm", "part-0", "notes.txt"] {
            try Data("x".utf8).write(to: videos.appending(path: name))
        }
        let writing = try store.videos.begin()
        try FileManager.default.removeItem(at: videos.appending(path: "\(lost.id).mp4"))
        try await store.removeStrays()
        let left = try FileManager.default.contentsOfDirectory(atPath: videos.path)
        #expect(Set(left) == ["\(kept.id).mp4", writing.url.lastPathComponent])
        #expect(try await store.session(kept.id)?.video != nil)
        #expect(try await store.session(lost.id)?.video == nil)
    }

    @Test func `only what a browser plays is kept`() async throws {
        let store = try HistoryStore(file)
        let session = nobodys()
        try await store.add(session)
        let url = folder.file("clip.avi")
        try Data("RIFF\0\0\0\0AVI LIST".utf8).write(to: url)
        var told: KinemaError?
        do { _ = try await store.keepVideo(session.id, copying: url) } catch { told = error }
        #expect(told?.code == .unsupported)
        #expect(try await store.session(session.id)?.video == nil)
    }
}
