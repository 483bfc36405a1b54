import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaMedia

/// Against a web server that behaves well and badly.
@Suite(.tags(.realTime), .serialized) struct WebStreamTests {
    let clips: Clips
    let server: LocalServer

    init() throws {
        clips = try Clips()
        try clips.make("%d.jpg", "-f lavfi -i testsrc2=s=160x120:r=30 -frames:v 7 -start_number 0")
        server = try LocalServer(.web, clips.folder.path)
    }

    private func address(_ path: String, _ user: String = "") -> String {
        "http://\(user)127.0.0.1:\(server.port)/\(path)"
    }

    private func message(_ path: String, _ options: LiveOptions = Following.quick) async throws -> String {
        let error = try #require(try await Following(address(path), options).failure(), "\(path) was read")
        #expect(error.code == .unreadableInput && error.file == address(path))
        #expect(!error.message.contains("\n"))
        return error.message
    }

    @Test
    func `Motion JPEG is live, timed by arrival, and read again when the server ends or loses it`() async throws {
        let following = Following(address("mjpeg?12"))
        let frames = try await following.read { $0.states.count >= 6 }
        #expect(frames.isLive && frames.frameSize == CGSize(width: 160, height: 120))
        let lost = "the connection to the server was lost"
        #expect(Array(following.reasons.prefix(2)) == [lost, lost])
        #expect(following.times.isStrictlyIncreasing && following.times.first == 0)
        // Shown as what it is without its query.
        #expect(following.ids.allSatisfy { $0.source == address("mjpeg") + "?…" })
        #expect(frames.tally.isSettled && frames.tally.arrived >= 24)
    }

    @Test
    func `A stream that stops in mid-run is left after the time for silence`() async throws {
        var options = Following.quick
        options.silenceTimeout = .seconds(2)
        let following = Following(address("freezing?10"), options)
        try await following.read { $0.states.count >= 4 }
        #expect(Set(following.reasons) == ["no data arrived for 2.0 s"])
        #expect(following.times.isStrictlyIncreasing)
    }

    @Test
    func `A picture that stays the same is a frozen source; after the reconnection the wait doubles`() async throws {
        var options = Following.quick
        options.frozenTimeout = .milliseconds(500)
        options.duration = .milliseconds(3300)
        let following = Following(address("still"), options)
        try await following.read()
        #expect(following.reasons == Array(repeating: "the image has not changed for 0.5 s", count: 2))
        let moving = Following(address("mjpeg"), options)
        try await moving.read()
        #expect(moving.reasons.isEmpty)
    }

    @Test
    func `A silent server, noise, an unknown path and a wrong password are reported in one line`() async throws {
        var options = Following.quick
        options.connectionTimeout = .milliseconds(600)
        #expect(try await message("silent", options).hasPrefix("no answer within 0.6 s"))
        #expect(try await message("garbage").contains("no readable video or image"))
        #expect(try await message("none.mp4").contains("no such stream"))
        let error = try await Following(address("locked/0.jpg", "eye:sesame@")).failure()
        #expect(error?.message.contains("name or password") == true && error?.description.contains("sesame") == false)
        server.stop()
        #expect(try await message("mjpeg").contains("connection refused"))
    }

    @Test
    func `A film or a picture that lies on a server is read whole, like a file, also behind a password`() async throws {
        try clips.make("film.mp4", "-f lavfi -i testsrc2=s=160x120:r=30 -frames:v 45 -c:v libx264 -movflags faststart")
        let following = Following(address("locked/film.mp4", "eye:glass@"))
        let frames = try await following.open()
        #expect(!frames.isLive && frames.videoDuration.seconds == 1.5)
        var times: [Double] = []
        for try await frame in frames {
            times.append(frame.feature.time)
            // A slow reader loses nothing.
            if times.count < 5 { try await Task.sleep(for: .milliseconds(50)) }
        }
        #expect(times.count == 45 && frames.tally.dropped == 0)
        #expect(zip(times, 0...).allSatisfy { abs($0 - Double($1) / 30) < 1e-9 })
        let picture = try await VideoReader.read(MediaInput(argument: address("0.jpg")))
        #expect(!picture.isLive && picture.expectedFrameCount == 1)
    }

    @Test
    func `A playlist (HLS) is followed to its segments on the server, and to nothing else`() async throws {
        try clips.make(
            "list.m3u8",
            "-f lavfi -i testsrc2=s=160x120:r=30 -frames:v 60 -c:v libx264 -g 15 -hls_time 1 -hls_list_size 0")
        let following = Following(address("list.m3u8"))
        let frames = try await following.read()
        #expect(!frames.isLive && following.ids.count == 60)
        // The same film by the file's own name, which a file may say and a server may not.
        let local = clips.folder.appendingPathComponent("list0.ts").path
        for target in ["file://\(local)", "concat:\(local)", "subfile,,start,0,end,0,,:\(local)"] {
            let text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(target)\n#EXT-X-ENDLIST\n"
            try Data(text.utf8).write(to: clips.url("evil.m3u8"))
            let error = try await Following(address("evil.m3u8")).failure()
            #expect(error?.code == .unreadableInput, "\(target)")
        }
        try Data("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(address("list0.ts"))\n#EXT-X-ENDLIST\n".utf8).write(
            to: clips.url("good.m3u8"))
        let good = Following(address("good.m3u8"))
        try await good.read()
        #expect(good.ids.count > 10)
    }

    @Test
    func `A live playlist is played at its own pace, not as fast as its segments load`() async throws {
        try clips.make(
            "live.m3u8",
            "-f lavfi -i testsrc2=s=160x120:r=30 -frames:v 90 -c:v libx264 -g 15 -hls_time 1 -hls_list_size 0")
        let ended = try String(contentsOf: clips.url("live.m3u8"), encoding: .utf8)
        let open = ended.replacing("#EXT-X-ENDLIST\n", with: "")
        try Data(open.utf8).write(to: clips.url("live.m3u8"))
        var options = Following.quick
        options.silenceTimeout = .seconds(3)
        options.duration = .milliseconds(1500)
        let following = Following(address("live.m3u8"), options)
        let began = ContinuousClock.now
        let frames = try await following.read()
        // Ninety frames would decode in a fraction of a second.
        #expect(ContinuousClock.now - began >= .milliseconds(1400))
        #expect(frames.isLive && frames.tally.arrived <= 46 && frames.tally.isSettled, "\(frames.tally)")
        #expect(following.times.isStrictlyIncreasing)
    }

    @Test
    func `Pictures beyond the limits are refused, of streams as of files`() async throws {
        try clips.make("0.jpg", "-f lavfi -i color=gray:s=17000x16 -frames:v 1")
        let error = try await Following(address("still")).failure()
        #expect(error?.message.contains("too large") == true, "\(String(describing: error))")
    }
}
