import Foundation
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio

@Suite(.tags(.realTime), .timeLimit(.minutes(1))) struct ServerUploadTests {
    /// What begins like a video.
    private static let video = "\0\0\0\u{20}ftypisom" + String(repeating: "v", count: 300)

    private func upload(
        _ studio: StudioUnderTest, name: String = "clip.mp4", _ fields: [String: String] = [:],
        body: String = video
    ) async throws -> RawAnswer? {
        let fields = ["Content-Length": "\(body.utf8.count)"].merging(fields) { $1 }
        return try await studio.ask("POST", "/api/uploads?name=\(name)", fields, body: body)
    }

    private func id(_ answer: RawAnswer?) throws -> String {
        struct Body: Decodable { var upload: String }
        return try JSONDecoder().decode(Body.self, from: Data(try #require(answer).body)).upload
    }

    @Test func `an upload lies in a private folder under a random name until it is deleted`() async throws {
        try await StudioUnderTest.run { studio in
            let answer = try await upload(studio, name: "..%2F..%2Fa%0Ab.mp4")
            #expect(answer?.status == 201)
            let id = try id(answer)
            #expect(id.count == 32)
            #expect(answer?.text.contains("\"name\":\"ab.mp4\"") == true)
            let files = studio.uploadedFiles()
            #expect(files.count == 1 && files[0].hasSuffix("/\(id)/video"))
            let parts = files[0].split(separator: "/")
            for depth in 1...2 {
                let folder = studio.uploads.appending(path: parts.prefix(depth).joined(separator: "/"))
                let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
                #expect(mode == 0o700)
            }
            #expect(try String(contentsOf: studio.uploads.appending(path: files[0]), encoding: .utf8) == Self.video)
            try expect(204, await studio.ask("DELETE", "/api/uploads/\(id)"))
            #expect(studio.uploadedFiles() == [])
            try expect(404, await studio.ask("DELETE", "/api/uploads/\(id)"))
        }
    }

    @Test func `more exports at once than are made are told to wait`() async throws {
        try await StudioUnderTest.run(configure: { $0.limits.exports = 0 }) { studio in
            let id = try id(await upload(studio))
            let answer = try await studio.ask("GET", "/api/uploads/\(id)/poses.csv")
            #expect(answer?.status == 503)
            #expect(answer?["Retry-After"] == "1")
        }
    }

    @Test func `an interrupted upload leaves nothing`() async throws {
        try await StudioUnderTest.run { studio in
            let client = try await studio.client()
            try await client.send(studio.request("POST", "/api/uploads", ["Content-Length": "100000"]) + Self.video)
            while studio.uploadedFiles().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            await client.close()
            while !studio.uploadedFiles().isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            // Its place is free again.
            try expect(201, await upload(studio))
        }
    }

    @Test func `a body that is too large is refused before it is sent`() async throws {
        try await StudioUnderTest.run(configure: { $0.limits.live.uploadBytes = Self.video.utf8.count }) { studio in
            try expect(201, await upload(studio))
            let client = try await studio.client()
            try await client.send(
                studio.request("POST", "/api/uploads", ["Content-Length": "\(Self.video.utf8.count + 1)"]))
            #expect(try await client.answer()?.status == 413)
            #expect(studio.uploadedFiles().count == 1)
        }
    }

    @Test func `a body of unknown length is refused`() async throws {
        try await StudioUnderTest.run { studio in
            let answer = try await studio.ask(
                "POST", "/api/uploads", ["Transfer-Encoding": "chunked"], body: "4\r\nabcd\r\n0\r\n\r\n")
            #expect(answer?.status == 411)
        }
    }

    @Test(arguments: [
        "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n", "ffconcat version 1.0\nfile /etc/passwd\n",
        "<?xml version=\"1.0\"?><MPD/>",
        "v=0\no=- 0 0 IN IP4 127.0.0.1\n", "plain text", "", "GGGG",
    ]) func `a file that is not a video with its own pictures is refused`(body: String) async throws {
        try await StudioUnderTest.run { studio in
            for padding in ["", String(repeating: "\n", count: 1_000)] {
                try expect(415, await upload(studio, body: body + padding))
            }
            #expect(studio.uploadedFiles() == [])
        }
    }

    @Test(arguments: [
        "GIF8\r\nv=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 5004 RTP/AVP 33\r\n",
        "FLV", "OggS and then nothing of Ogg", "\0\0\0\u{1}#EXTM3U\n#EXT-X-TARGETDURATION:1\n",
    ]) func `a file that begins like a video but cannot be decoded is refused`(body: String) async throws {
        try await StudioUnderTest.run { studio in
            for padding in ["", String(repeating: "\n", count: 100_000)] {
                try expect(415, await upload(studio, body: body + padding))
            }
            #expect(studio.uploadedFiles() == [])
        }
    }

    @Test func `an upload that comes too slowly is ended and leaves nothing`() async throws {
        let slow: @Sendable (inout StudioConfiguration) -> Void = {
            ($0.limits.uploadRate, $0.limits.uploadWindow) = (1_000_000, .milliseconds(100))
        }
        try await StudioUnderTest.run(configure: slow) { studio in
            let client = try await studio.client()
            try await client.send(studio.request("POST", "/api/uploads", ["Content-Length": "100000"]) + Self.video)
            // A byte now and then, which is not silence.
            let sending = Task {
                while !Task.isCancelled {
                    try await client.send("v")
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            let answer = try await client.answer()
            sending.cancel()
            #expect(answer?.status == 408)
            #expect(answer?.code == "too-slow")
            #expect(studio.uploadedFiles() == [])
        }
    }

    @Test func `a rate is taken over stretches of time`() {
        var limits = StudioLimits()
        (limits.uploadRate, limits.uploadWindow) = (100, .seconds(10))
        let begin = ContinuousClock.now
        var pace = UploadRateCheck(limits, from: begin)
        func judge(_ count: Int, _ seconds: Int) -> Bool { pace.take(count, at: begin + .seconds(seconds)) }
        // Nothing is asked before the stretch is over; then a thousand bytes. What came before does not count for the next.
        let judged = [judge(0, 9), judge(1_000, 10), judge(999, 20), judge(1_500, 36)]
        #expect(judged == [true, true, false, false])
    }

    @Test func `a form is refused`() async throws {
        try await StudioUnderTest.run { studio in
            for type in ["multipart/form-data; boundary=x", "text/plain", "application/x-www-form-urlencoded"] {
                try expect(415, await upload(studio, ["Content-Type": type]))
            }
            try expect(201, await upload(studio, ["Content-Type": "video/mp4"]))
        }
    }

    @Test func `a further upload takes the place of the one that is longest done with`() async throws {
        try await StudioUnderTest.run(configure: { $0.limits.uploads = 2 }) { studio in
            let first = try id(try await upload(studio))
            let second = try id(try await upload(studio))
            try expect(201, await upload(studio))
            try expect(404, await studio.ask("DELETE", "/api/uploads/\(first)"))
            try expect(204, await studio.ask("DELETE", "/api/uploads/\(second)"))
        }
    }

    @Test func `an upload that nobody uses goes`() async throws {
        try await StudioUnderTest.run(configure: { $0.limits.uploadIdleTimeout = .milliseconds(200) }) { studio in
            try expect(201, await upload(studio))
            while !studio.uploadedFiles().isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    @Test func `a full disk is reported and leaves nothing`() async throws {
        let full: @Sendable (URL) throws -> FileHandle = { url in
            _ = FileManager.default.createFile(atPath: url.path, contents: nil)
            return try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
        }
        try await StudioUnderTest.run(disk: full) { studio in
            let answer = try await upload(studio)
            #expect(answer?.status == 507)
            #expect(answer?.code == "disk-full")
            #expect(studio.uploadedFiles() == [])
        }
    }

    @Test func `a client that asks first is told to go ahead`() async throws {
        try await StudioUnderTest.run { studio in
            let client = try await studio.client()
            let fields = ["Content-Length": "\(Self.video.utf8.count)", "Expect": "100-continue"]
            try await client.send(studio.request("POST", "/api/uploads", fields))
            #expect(try await client.answer()?.status == 100)
            try await client.send(Self.video)
            #expect(try await client.answer()?.status == 201)
        }
    }

    @Test func `what was made of an upload comes whole and in parts`() async throws {
        try await StudioUnderTest.run { studio in
            let id = try id(try await upload(studio))
            let address = "/api/uploads/\(id)/overlay.mp4"
            try expect(404, await studio.ask("GET", address))
            let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
            let video = studio.uploads.appending(path: try #require(studio.uploadedFiles().first))
            try Data(bytes).write(to: video.deletingLastPathComponent().appending(path: "overlay.mp4"))
            let whole = try await studio.ask("GET", address)
            #expect(whole?["Content-Type"] == "video/mp4")
            #expect(whole?.body == bytes)
            let part = try await studio.ask("GET", address, ["Range": "bytes=1000-1999"])
            #expect(part?.status == 206)
            #expect(part?["Content-Range"] == "bytes 1000-1999/200000")
            #expect(part?.body == Array(bytes[1000...1999]))
            try expect(416, await studio.ask("GET", address, ["Range": "bytes=200000-"]))
            try expect(404, await studio.ask("GET", "/api/uploads/\(id)/video"))
        }
    }

    @Test(
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=5-", 5..<10), ("bytes=-3", 7..<10), ("bytes=-30", 0..<10),
            ("bytes=2-99", 2..<10),
            ("bytes=10-", 10..<10), ("bytes=20-30", 10..<10), ("bytes=-0", 10..<10), ("bytes=3-2", nil),
            ("items=0-1", nil),
            ("bytes=0-1,3-4", nil), ("bytes=a-b", nil), ("bytes=--1", nil), ("bytes=-", nil),
            ("bytes=9223372036854775807-9223372036854775807", 10..<10), ("bytes=0-99999999999999999999", nil),
        ] as [(String, Range<Int>?)]) func `a range is read as RFC 9110 has it`(field: String, range: Range<Int>?)
    {
        #expect(FileResponse.range(field, of: 10) == range)
    }
}
