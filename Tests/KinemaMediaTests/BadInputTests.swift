import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

/// Every broken or hostile input gives one clear line, or as many frames as can be had and a finding.
@Suite struct BadInputTests {
    let clips: Clips

    init() throws {
        clips = try Clips()
    }

    struct Outcome {
        var frames: [VideoFrame] = []
        var findings: [String] = []
        var error: KinemaError?
    }

    func read(_ url: URL) async throws -> Outcome {
        var outcome = Outcome()
        let diagnostics = DiagnosticCollector()
        do {
            for try await frame in try await VideoReader.read(.file(url), diagnostics: diagnostics) {
                outcome.frames.append(frame.feature)
            }
        } catch let error as KinemaError {
            outcome.error = error
        }
        outcome.findings = diagnostics.diagnostics.map(\.code)
        #expect(diagnostics.diagnostics.allSatisfy { $0.file == url.path && !$0.message.contains("\n") })
        return outcome
    }

    func expectUnreadable(_ url: URL, saying words: String) async throws {
        let error = try #require(try await read(url).error, "\(url.lastPathComponent) was read")
        #expect(error.code == .unreadableInput)
        #expect(error.file == url.path)
        #expect(error.message.contains(words), "\(error.message)")
        #expect(!error.message.contains("\n"))
    }

    func film(_ name: String = "film.mp4", _ options: String = "", frames: Int = 60) throws -> URL {
        try clips.make(
            name,
            "-f lavfi -i testsrc2=s=320x240:r=30 -frames:v \(frames) -c:v libx264 -g 15 -pix_fmt yuv420p \(options)")
    }

    @Test
    func `Missing, empty, text, sound and headless files and folders are reported as what they are`() async throws {
        try await expectUnreadable(clips.url("nothing.mp4"), saying: "no such file")
        try await expectUnreadable(clips.folder, saying: "folder")
        try Data().write(to: clips.url("empty.mp4"))
        try await expectUnreadable(clips.url("empty.mp4"), saying: "empty")
        try Data("This is not a film.\n".utf8).write(to: clips.url("text.mp4"))
        try await expectUnreadable(clips.url("text.mp4"), saying: "not a video or image")
        try Data(repeating: 0, count: 100_000).write(to: clips.url("zero.mp4"))
        try await expectUnreadable(clips.url("zero.mp4"), saying: "not a video or image")
        let sound = try clips.make("sound.m4a", "-f lavfi -i sine=d=1 -c:a aac")
        try await expectUnreadable(sound, saying: "only sound")
        let whole = try Data(contentsOf: try film())
        // ffmpeg writes the index last, so half a file has none.
        try whole[..<(whole.count / 2)].write(to: clips.url("half.mp4"))
        try await expectUnreadable(clips.url("half.mp4"), saying: "damaged")
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: clips.url("text.mp4").path)
        if geteuid() != 0 { try await expectUnreadable(clips.url("text.mp4"), saying: "permissions") }
    }

    @Test
    func `Messages are in one style: no capital at the start, no full stop at the end`() async throws {
        try Data("text".utf8).write(to: clips.url("text.mp4"))
        try Data().write(to: clips.url("empty.mp4"))
        let sound = try clips.make("sound.m4a", "-f lavfi -i sine=d=1 -c:a aac")
        for url in [clips.url("none"), clips.folder, clips.url("empty.mp4"), clips.url("text.mp4"), sound] {
            let message = try #require(try await read(url).error).message
            #expect(message.first?.isLowercase == true && message.last != ".", "\(message)")
        }
    }

    @Test
    func `Three hundred openings of valid and broken files leave no file open`() async throws {
        let film = try film("whole.mp4", frames: 8)
        let bytes = try Data(contentsOf: film)
        try bytes[..<(bytes.count / 2)].write(to: clips.url("half.mp4"))
        try Data("text".utf8).write(to: clips.url("text.mp4"))
        let sound = try clips.make("sound.m4a", "-f lavfi -i sine=d=1 -c:a aac")
        let urls = [film, clips.url("half.mp4"), clips.url("text.mp4"), sound, clips.folder, clips.url("none")]
        func open(_ times: Int) async throws {
            for index in 0..<times { _ = try await read(urls[index % urls.count]) }
        }
        try await open(300)
        // The thread of the last read may still be ending.
        try await waits { (try? usage()) == 0 }
    }

    /// How many files of this test's folder the process has open.
    private func usage() throws -> Int {
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return links.count { link in
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(link)")
            return target?.hasPrefix(clips.folder.path) == true
        }
    }

    @Test
    func `Sound with a cover picture is sound`() async throws {
        let source = try ColorTests.writeQuarters(to: clips)
        let sound = try clips.make(
            "cover.m4a",
            "-f lavfi -i sine=d=1 -i \(source.path) -map 0 -map 1 -c:a aac -c:v mjpeg -disposition:v:0 attached_pic")
        try await expectUnreadable(sound, saying: "only sound")
    }

    @Test
    func `A file that breaks off gives its beginning and a finding`() async throws {
        let whole = try Data(contentsOf: try film("front.mp4", "-movflags +faststart", frames: 300))
        let url = clips.url("cut.mp4")
        try whole[..<(whole.count / 2)].write(to: url)
        let outcome = try await read(url)
        #expect(outcome.error == nil)
        #expect((60..<240).contains(outcome.frames.count), "\(outcome.frames.count)")
        #expect(outcome.findings.contains("input.truncated"), "\(outcome.findings)")
    }

    @Test(arguments: ["film.mp4", "film.mkv", "film.ts", "film.avi"])
    func `Damaged packets are skipped and counted`(name: String) async throws {
        let url = try film(name, frames: 120)
        var bytes = [UInt8](try Data(contentsOf: url))
        var noise = SystemNoise(seed: 7)
        for position in stride(from: bytes.count / 3, to: bytes.count * 2 / 3, by: 97) {
            bytes[position] = noise.next()
        }
        try Data(bytes).write(to: url)
        let outcome = try await read(url)
        #expect(outcome.error == nil)
        #expect(outcome.frames.count > 30, "\(outcome.frames.count)")
        #expect(!outcome.findings.isEmpty)
        #expect(isIncreasing(outcome.frames))
    }

    func isIncreasing(_ frames: [VideoFrame]) -> Bool {
        zip(frames, frames.dropFirst()).allSatisfy { $0.id.range.upperBound == $1.id.range.lowerBound }
            && frames.allSatisfy { !$0.id.range.isEmpty }
    }

    @Test
    func `A broken index neither crashes nor hangs`() async throws {
        let url = try film("index.mp4", "-movflags +faststart -preset ultrafast", frames: 30)
        let intact = [UInt8](try Data(contentsOf: url))
        let end = try #require(intact.indices.first { intact[$0...].starts(with: Array("mdat".utf8)) })
        for seed in 0..<100 {
            var bytes = intact
            var noise = SystemNoise(seed: UInt64(seed))
            for _ in 0..<12 {
                let position = 40 + (Int(noise.next()) << 8 | Int(noise.next())) % (end - 44)
                bytes[position] = noise.next()
            }
            try Data(bytes).write(to: url)
            let outcome = try await read(url)
            #expect(isIncreasing(outcome.frames), "seed \(seed)")
            if let error = outcome.error { #expect(error.code == .unreadableInput, "\(error)") }
        }
    }

    @Test(arguments: [(1, 1), (16384, 16), (16, 16384), (1, 7)])
    func `Very small and very long pictures are read`(width: Int, height: Int) async throws {
        let source = try ColorTests.writeQuarters(width: width, height: height, to: clips)
        let url = try clips.make("extreme.png", "-i \(source.path) -pix_fmt rgb24")
        let outcome = try await read(url)
        let frame = try #require(outcome.frames.first, "\(outcome.error?.description ?? "no frame")")
        #expect(outcome.frames.count == 1 && frame.width == width && frame.height == height)
        #expect(frame.id.range == 0..<1 && frame.id.timescale == 1)
        let bitmap = try frame.bitmap()
        #expect(bitmap.width == width && bitmap[width - 1, height - 1].red == 240)
    }

    @Test
    func `Pictures beyond the limits are refused before memory is allocated`() async throws {
        // The size in a PNG's header is all it takes.
        let url = try clips.make("large.png", "-f lavfi -i color=c=red:s=64x64 -frames:v 1 -pix_fmt rgb24")
        var bytes = [UInt8](try Data(contentsOf: url))
        bytes.replace(at: 16, with: 16000)
        bytes.replace(at: 20, with: 16000)
        try Data(bytes).write(to: url)
        try await expectUnreadable(url, saying: "too large")
        bytes.replace(at: 16, with: 20000)
        bytes.replace(at: 20, with: 2)
        try Data(bytes).write(to: url)
        try await expectUnreadable(url, saying: "too large")
    }

    @Test(arguments: ["list.m3u8", "list.mp4", "list.txt", "list.ffconcat"])
    func `A playlist opens nothing, whatever its name`(name: String) async throws {
        _ = try film("secret.ts")
        let texts = [
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nsecret.ts\n#EXT-X-ENDLIST\n",
            "ffconcat version 1.0\nfile secret.ts\n",
        ]
        for text in texts {
            try Data(text.utf8).write(to: clips.url(name))
            try await expectUnreadable(clips.url(name), saying: "not a video or image")
        }
    }

    @Test
    func `A name with a number pattern is one file`() async throws {
        let source = try ColorTests.writeQuarters(to: clips)
        for index in 1...3 { try clips.make("shot\(index).png", "-i \(source.path)") }
        try await expectUnreadable(clips.url("shot%d.png"), saying: "no such file")
        try FileManager.default.copyItem(at: clips.url("shot1.png"), to: clips.url("100%d.png"))
        #expect(try await read(clips.url("100%d.png")).frames.count == 1)
    }

    @Test
    func `A video of no duration is one frame of at least one tick`() async throws {
        let url = try clips.make("one.mp4", "-f lavfi -i testsrc2=s=64x48:r=30 -frames:v 1 -c:v libx264")
        var bytes = [UInt8](try Data(contentsOf: url))
        let times = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("stts".utf8)) })
        bytes.replace(at: times + 16, with: 0)
        try Data(bytes).write(to: url)
        let outcome = try await read(url)
        #expect(outcome.error == nil && outcome.frames.count == 1)
        #expect(outcome.frames.first?.id.range.lowerBound == 0 && outcome.frames.first?.id.range.isEmpty == false)
    }

    @Test
    func `A raw stream without timestamps gets them from its rate, and a finding`() async throws {
        let url = try film("raw.h264", "-bf 0", frames: 20)
        let outcome = try await read(url)
        #expect(outcome.frames.count == 20)
        #expect(isIncreasing(outcome.frames))
        let times = outcome.frames.map(\.time)
        #expect(outcome.findings == ["timestamps.missing"])
        for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 30) < 0.002, "\(index): \(time)") }
    }

    @Test
    func `Equal timestamps are moved apart, and counted once`() async throws {
        let url = clips.url("equal.mp4")
        var writer = try VideoWriter(url: url, width: 64, height: 48, timescale: 1000)
        for index in 0..<12 {
            let start = index / 2 * 30 + index % 2 * 10
            try writer.append(Bitmap(width: 64, height: 48), at: start..<start + (index % 2 == 0 ? 10 : 20))
        }
        try writer.finish()
        // The table of times: entries of a count and a duration, alternating 10 and 20; every 10 becomes 0.
        var bytes = [UInt8](try Data(contentsOf: url))
        let times = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("stts".utf8)) })
        for index in stride(from: 0, to: 12, by: 2) { bytes.replace(at: times + 16 + index * 8, with: 0) }
        try Data(bytes).write(to: url)
        let outcome = try await read(url)
        #expect(outcome.frames.count == 12)
        #expect(isIncreasing(outcome.frames))
        #expect(outcome.findings == ["timestamps.equal"])
        for (index, frame) in outcome.frames.enumerated() where index % 2 == 0 {
            #expect(frame.id.range.lowerBound == index * 10, "good stamps keep their value: \(index) \(frame.time)")
        }
    }
}

/// Reproducible noise: a 64-bit linear congruential generator (Knuth, MMIX).
struct SystemNoise {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493
    }

    mutating func next() -> UInt8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
    }
}
