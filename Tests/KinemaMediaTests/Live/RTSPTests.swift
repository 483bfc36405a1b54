import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaMedia

/// Against GStreamer's RTSP server.
@Suite(.tags(.realTime), .serialized) struct RTSPTests {
    private func address(_ server: LocalServer, _ user: String = "") -> String {
        "rtsp://\(user)127.0.0.1:\(server.port)/live"
    }

    @Test(arguments: StreamAddress.Transport.allCases)
    func `Frames come with the stream's own stamps, over TCP and over UDP`(transport: StreamAddress.Transport)
        async throws
    {
        let server = try LocalServer(.rtsp)
        let following = Following(address(server))
        let input = MediaInput.stream(try StreamAddress(address(server), transport: transport))
        let frames = try await following.open(input)
        #expect(frames.isLive && frames.timescale == 90_000 && frames.videoDuration.seconds == 0)
        #expect(frames.frameSize == CGSize(width: 320, height: 240) && frames.nominalFrameRate == 30)
        var starts: [Int] = []
        for try await frame in frames {
            #expect(frame.id.source == address(server))
            starts.append(frame.id.range.lowerBound)
            if starts.count == 20 { break }
        }
        frames.stop()
        // Where the machine was busy the first frames are dropped like any other that nobody took in time.
        #expect(starts.first == 0 || frames.tally.dropped > 0)
        #expect(starts.isStrictlyIncreasing)
        // Thirty frames a second are 3000 ticks each, whenever they arrive; where a frame was dropped, the step is a multiple.
        // Over UDP the first frame has no stamp of the server's yet.
        let steps = zip(starts, starts.dropFirst()).dropFirst().map { $1 - $0 }
        #expect(steps.allSatisfy { abs($0 - ($0 + 1500) / 3000 * 3000) <= max(3, $0 / 100) }, "\(steps)")
        #expect(frames.tally.isSettled && frames.tally.analysed == 20)
        #expect(following.states == [.connecting, .live])
    }

    @Test
    func `A server that is killed and started again: the run goes on, time too, with the gap in it`() async throws {
        let server = try LocalServer(.rtsp)
        let following = Following(address(server))
        let reading = Task {
            try await following.read { $0.reasons.count >= 2 && $0.states.count >= 6 && $0.gaps >= 2 }
        }
        for round in 1...2 {
            try await waits { following.states.count == round * 2 && following.ids.count >= 10 * round }
            server.stop()
            try await waits { following.reasons.count == round }
            try await Task.sleep(for: .milliseconds(600))
            #expect(following.states.count == round * 2 + 1)
            try server.start()
        }
        let frames = try await reading.value
        #expect(following.states.filter { $0 == .live }.count == 3)
        #expect(following.times.isStrictlyIncreasing)
        #expect(frames.tally.isSettled)
        let findings = following.diagnostics.diagnostics
        #expect(findings.map(\.code) == ["live.reconnected", "live.reconnected", "live.frames"])
        let tally = frames.tally
        #expect(
            findings.last?.message
                == "\(tally.arrived) frames arrived: \(tally.analysed) analysed, \(tally.dropped) dropped")
    }

    @Test
    func `A server that freezes with the connection open is dropped after the silence limit and reconnected`()
        async throws
    {
        let server = try LocalServer(.rtsp)
        var options = Following.quick
        options.silenceTimeout = .seconds(2)
        let following = Following(address(server), options)
        let reading = Task { try await following.read { $0.states.count >= 4 && $0.gaps >= 1 } }
        try await waits { following.ids.count >= 10 }
        server.freeze()
        try await waits { following.reasons.count == 1 }
        #expect(following.reasons == ["no data arrived for 2.0 s"])
        server.resume()
        _ = try await reading.value
        #expect(following.times.isStrictlyIncreasing)
    }

    @Test
    func `A reader that is slow gets the newest frame, and every other one is counted`() async throws {
        let server = try LocalServer(.rtsp)
        let following = Following(address(server))
        let frames = try await following.open()
        var starts: [Int] = []
        for try await frame in frames {
            starts.append(frame.id.range.lowerBound)
            // Each pause is more than four frames long; a server that was behind catches up.
            if starts.count >= 8, frames.tally.dropped * 8 >= 15 * starts.count || starts.count == 60 { break }
            try await Task.sleep(for: .milliseconds(150))
        }
        frames.stop()
        let tally = frames.tally
        #expect(tally.isSettled && tally.analysed == starts.count, "\(tally)")
        #expect(tally.dropped * 8 >= 15 * starts.count, "\(tally)")
        #expect(starts.isStrictlyIncreasing)
        #expect(frames.tally == tally)
    }

    @Test
    func
        `A wrong password, a wrong path and a port where nobody listens are reported in one line, without the password`()
        async throws
    {
        let closed = try LocalServer(.rtsp, "--closed")
        let good = Following(address(closed, "eye:glass@"))
        try await good.read { $0.ids.count == 3 }
        #expect(good.ids.count == 3 && good.ids.allSatisfy { !$0.source.contains("glass") })
        func message(_ argument: String) async throws -> String {
            let error = try #require(try await Following(argument).failure())
            #expect(error.code == .unreadableInput && !error.description.contains("\n"))
            #expect(!error.description.contains("sesame") && !error.description.contains("eye"), "\(error)")
            return error.message
        }
        #expect(try await message(address(closed, "eye:sesame@")).contains("name or password"))
        #expect(try await message(address(closed)).contains("name or password"))
        let open = try LocalServer(.rtsp)
        #expect(try await message("rtsp://eye:sesame@127.0.0.1:\(open.port)/none").contains("no such stream"))
        open.stop()
        #expect(try await message(address(open)).contains("connection refused"))
        #expect(try await message("rtsp://nowhere.invalid/a").contains("cannot be reached"))
    }

    @Test
    func `A run of a given length ends by itself, also while the source is lost`() async throws {
        let server = try LocalServer(.rtsp)
        var options = Following.quick
        options.duration = .seconds(1)
        let following = Following(address(server), options)
        let frames = try await following.read()
        #expect(following.times.allSatisfy { $0 < 1 } && !following.ids.isEmpty)
        #expect(frames.tally.isSettled)
        options.duration = .seconds(2)
        let lost = Following(address(server), options)
        try await lost.read { following in
            if following.ids.count == 5 { server.stop() }
            return false
        }
        #expect(lost.states.count == 3 && lost.reasons.count == 1)
    }

    @Test
    func `A lost source is given up when it was waited for long enough, in one line`() async throws {
        let server = try LocalServer(.rtsp)
        var options = Following.quick
        options.givesUpAfter = .milliseconds(500)
        let following = Following(address(server), options)
        let error = await #expect(throws: KinemaError.self) {
            try await following.read { following in
                if following.ids.count == 5 { server.stop() }
                return false
            }
        }
        #expect(error?.code == .unreadableInput && error?.message.contains("not reconnected") == true)
    }

    @Test
    func `Cancelling ends a run while it reads, while it reconnects, and while it connects`() async throws {
        let server = try LocalServer(.rtsp)
        let following = Following(address(server))
        let reading = Task { try await following.read() }
        try await waits { following.ids.count >= 3 }
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        let lost = Following(address(server))
        let waiting = Task { try await lost.read() }
        try await waits { lost.ids.count >= 3 }
        server.stop()
        try await waits { lost.reasons.count == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try server.start()
        server.freeze()
        let opening = Following(address(server))
        let connecting = Task { try await opening.read() }
        try await waits { opening.states == [.connecting] }
        connecting.cancel()
        await #expect(throws: CancellationError.self) { try await connecting.value }
    }

    @Test
    func `A reader that stops while the server is silent leaves no thread or connection behind`() async throws {
        let server = try LocalServer(.rtsp)
        var options = Following.quick
        // Beyond the patience of `waits`.
        options.silenceTimeout = .seconds(120)
        weak var job: DecodingJob?
        do {
            let frames = try await Following(address(server), options).open()
            job = frames.job
            var iterator = frames.makeAsyncIterator()
            _ = try await iterator.next()
            server.freeze()
            try await Task.sleep(for: .milliseconds(200))
            frames.stop()
        }
        // The thread holds the job as long as it reads.
        try await waits { job == nil }
    }
}

extension Following {
    /// Gaps of more than half a second between frames.
    var gaps: Int { zip(times, times.dropFirst()).count { $1 - $0 > 0.5 } }
}

/// Waits until something holds; a test that waits for what never comes fails.
func waits(
    _ limit: Duration = .seconds(30), sourceLocation: SourceLocation = #_sourceLocation, _ condition: () -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while !condition() {
        try #require(ContinuousClock.now < end, "it never came", sourceLocation: sourceLocation)
        try await Task.sleep(for: .milliseconds(5))
    }
}
