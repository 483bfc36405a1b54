@testable import KinemaHistory
import KinemaHTTP
import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

@testable import KinemaStudio

@Suite(.tags(.realTime)) struct LiveFlowTests {
    private static let picture: Data = {
        let frame = VideoFrame(
            bitmap: Bitmap(width: 64, height: 48, red: 90, green: 120, blue: 150),
            id: TemporalSegmentIdentifier(source: "grey", range: 0..<1, timescale: 1))
        return (try? JPEGEncoder().jpeg(frame).bytes) ?? Data()
    }()

    private func isBalanced(_ ended: [String: Any]?) -> Bool {
        guard let ended, let sent = ended["arrived"] as? Int, let analysed = ended["analysed"] as? Int,
            let dropped = ended["dropped"] as? Int
        else { return false }
        return sent == analysed + dropped
    }

    @Test(.timeLimit(.minutes(1)))
    func `frames that take long hold up no other client`() async throws {
        let held = ProcessInfo.processInfo.activeProcessorCount + 4
        let (began, end) = (SlowAnalysis.Log(), DispatchSemaphore(value: 0))
        let service = LiveService(LiveConfiguration(), models: FairSemaphore(permits: held)) { _, _ in
            HoldingAnalysis(began: began, end: end)
        }
        let clients = (0..<held).map { _ in LiveClient(service) }
        for client in clients {
            client.start("poses")
            client.show(Self.picture, at: 0)
        }
        // Every one of them is being worked on, on more threads than there are cores, and another is answered all the same.
        while began.times.count < held { try await Task.sleep(for: .milliseconds(5)) }
        let other = LiveClient(service)
        #expect(await other.next("hello") != nil)
        other.socket.say("nonsense")
        #expect(await other.next("error")?["code"] as? String == "bad-message")
        for _ in clients { end.signal() }
        for client in clients { await client.leave() }
        await other.leave()
    }

    @Test(.timeLimit(.minutes(1)))
    func `while one frame is analysed the newest waits, and the others are dropped`() async throws {
        let (began, end) = (SlowAnalysis.Log(), DispatchSemaphore(value: 0))
        var configuration = LiveConfiguration()
        configuration.limits.framesPerSecond = 1000
        let client = LiveClient(LiveService(configuration) { _, _ in HoldingAnalysis(began: began, end: end) })
        client.start("poses")
        client.show(Self.picture, at: 0)
        while began.times.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        for index in 1..<100 { client.show(Self.picture, at: Double(index)) }
        try #require(await client.hear(98, "dropped"))
        // One result after the other: whoever has not taken the last one gets no next one.
        for results in 1...2 {
            end.signal()
            try #require(await client.hear(results, "result"))
        }
        let ended = await client.stop()
        #expect(isBalanced(ended))
        #expect(ended?["arrived"] as? Int == 100 && ended?["analysed"] as? Int == 2)
        #expect(ended?["reason"] as? String == "stopped")
        #expect(began.times == [0, 99])
        // Every frame was answered, by a result or by word that it was dropped.
        #expect(client.all("dropped").count == 98)
        await client.leave()
    }

    @Test(arguments: [false, true])
    func `poses that were asked for are kept where somebody was seen`(isSomeoneThere: Bool) async throws {
        let kept = StoredSessions()
        var configuration = LiveConfiguration()
        configuration.history = { session, _ in kept.add(session) }
        let service = LiveService(configuration) { _, _ in
            SlowAnalysis(pause: 0, findings: LiveFindings(poses: isSomeoneThere ? [Pose(from: [:])] : []))
        }
        let client = LiveClient(service)
        client.start("poses", #","keepPoses":true"#)
        client.show(Self.picture, at: 0)
        _ = await client.next("result")
        let ended = await client.stop()
        #expect(ended?["kept"] as? Bool == isSomeoneThere)
        #expect(kept.all.count == (isSomeoneThere ? 1 : 0))
        await client.leave()
    }

    @Test func `a second start ends the first session and its sums agree`() async throws {
        let client = LiveClient(.slow())
        client.start("poses")
        for index in 0..<20 { client.show(Self.picture, at: Double(index)) }
        client.start("poses")
        let ended = await client.next("ended")
        #expect(ended?["reason"] as? String == "replaced")
        #expect(isBalanced(ended))
        #expect(ended?["arrived"] as? Int == 20)
        // The clock of the second begins anew.
        client.show(Self.picture, at: 0.5)
        let second = await client.stop()
        #expect(second?["arrived"] as? Int == 1)
        #expect(isBalanced(second))
        await client.leave()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a client that goes in mid frame leaves no task and its set is kept`() async throws {
        let kept = StoredSessions()
        var configuration = LiveConfiguration()
        configuration.history = { session, _ in kept.add(session) }
        let service = LiveService(configuration, models: FairSemaphore(permits: 1)) { _, _ in OneRepetition() }
        let client = LiveClient(service)
        client.start("count")
        for index in 0..<10 { client.show(Self.picture, at: Double(index)) }
        _ = await client.next("repetition")
        client.socket.hangUp()
        // Serving ends only when every task of it has.
        await client.serving.value
        #expect(kept.all.count == 1)
        #expect(service.models.waiting == 0)
    }

    @Test func `frames in the wrong order are reported and counted`() async throws {
        let client = LiveClient(.slow(pause: 0))
        client.start("poses")
        _ = await client.showAndWait(Self.picture, at: 2)
        let late = await client.showAndWait(Self.picture, at: 1)
        #expect(late?["code"] as? String == "wrong-order")
        let same = await client.showAndWait(Self.picture, at: 2)
        #expect(same?["code"] as? String == "wrong-order")
        let right = await client.showAndWait(Self.picture, at: 3)
        #expect(right?["type"] as? String == "result")
        let ended = await client.stop()
        #expect(isBalanced(ended))
        #expect(ended?["arrived"] as? Int == 4)
        #expect(ended?["analysed"] as? Int == 2)
        await client.leave()
    }

    @Test func `messages without a session are answered in words`() async throws {
        let client = LiveClient(.slow())
        for text in [#"{"type":"stop"}"#, #"{"type":"undo"}"#] {
            client.socket.say(text)
            #expect(await client.next("error")?["code"] as? String == "wrong-order")
        }
        client.show(Self.picture, at: 1)
        #expect(await client.next("error")?["code"] as? String == "wrong-order")
        for text in ["", "[]", "{", #"{"type":"fly"}"#, #"{"type":"start"}"#, #"{"type":"start","mode":"count"}"#] {
            client.socket.say(text)
            let error = await client.next("error")
            #expect(error?["code"] as? String == "bad-message")
            #expect(error?["fatal"] as? Bool == false)
        }
        await client.leave()
    }

    @Test func `who talks nonsense on and on has to go`() async throws {
        let client = LiveClient(.slow())
        for _ in 0..<30 { client.socket.say("nonsense") }
        while let error = await client.next("error") { if error["fatal"] as? Bool == true { break } }
        #expect(client.heard.last?["fatal"] as? Bool == true)
        await client.serving.value
        #expect(client.socket.closed == 1008)
    }

    @Test func `broken pictures affect no other pictures`() async throws {
        let client = LiveClient(.slow(pause: 0))
        client.start("poses")
        let whole = Self.picture
        var huge = whole
        // The rows and columns in the start of frame.
        if let place = huge.range(of: Data([0xFF, 0xC0]))?.lowerBound {
            huge.replaceSubrange(place + 5..<place + 9, with: [0x7F, 0xFF, 0x7F, 0xFF])
        }
        var scrambled = whole
        for index in whole.count / 2..<whole.count - 2 { scrambled[index] = UInt8(truncatingIfNeeded: index * 37) }
        let broken: [(Data, String)] = [
            (Data("no JPEG at all, but long enough".utf8), "bad-frame"),
            (whole.prefix(whole.count / 2), "bad-frame"), (Data(whole.prefix(20)), "bad-frame"),
            (huge, "too-large"),
        ]
        for (index, (bytes, code)) in broken.enumerated() {
            let answer = await client.showAndWait(bytes, at: Double(index))
            #expect(answer?["code"] as? String == code)
            #expect(answer?["fatal"] as? Bool == false)
        }
        // Damage that the decoder sees or does not: in either case the session goes on.
        _ = await client.showAndWait(scrambled, at: 50)
        #expect(await client.showAndWait(whole, at: 100)?["type"] as? String == "result")
        client.socket.send(bytes: Data("KFR1".utf8))
        #expect(await client.next("error")?["code"] as? String == "bad-frame")
        let ended = await client.stop()
        // Also the frame without a readable header.
        #expect(isBalanced(ended) && ended?["arrived"] as? Int == broken.count + 3)
        await client.leave()
    }

    @Test func `frames beyond the rate are dropped and reported`() async throws {
        var configuration = LiveConfiguration()
        configuration.limits.framesPerSecond = 10
        let client = LiveClient(.slow(configuration, pause: 0))
        client.start("poses")
        for index in 0..<40 { client.show(Self.picture, at: Double(index)) }
        let ended = await client.stop()
        // How many pass depends on how long this takes; by the rule they are fewer than came, and reported now and then.
        let reports = client.all("error").count { $0["code"] as? String == "too-fast" }
        #expect(reports >= 1 && reports < client.all("dropped").count)
        #expect(isBalanced(ended))
        await client.leave()
    }

    @Test func `a slow client gets every event but not every result`() async throws {
        let service = LiveService(LiveConfiguration(), models: FairSemaphore(permits: 1)) { _, _ in OneRepetition() }
        let client = LiveClient(service)
        client.start("count")
        _ = await client.next("started")
        client.socket.isBehind = true
        client.show(Self.picture, at: 0)
        #expect(await client.next("repetition") != nil)
        let ended = await client.stop()
        #expect(client.all("result").isEmpty)
        #expect(ended?["analysed"] as? Int == 1)
        await client.leave()
    }

    @Test(.timeLimit(.minutes(1)))
    func `a client that sends little gets the next turn, however much another sends`() async throws {
        let (loudLog, quietLog) = (SlowAnalysis.Log(), SlowAnalysis.Log())
        let end = DispatchSemaphore(value: 0)
        let service = LiveService(LiveConfiguration(), models: FairSemaphore(permits: 1)) { request, _ in
            HoldingAnalysis(began: request.mode == .count ? loudLog : quietLog, end: end)
        }
        let (loud, quiet) = (LiveClient(service), LiveClient(service))
        loud.start("count")
        quiet.start("poses")
        loud.show(Self.picture, at: 0)
        while loudLog.times.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        quiet.show(Self.picture, at: 0)
        while service.models.waiting == 0 { try await Task.sleep(for: .milliseconds(5)) }
        for index in 1...20 { loud.show(Self.picture, at: Double(index)) }
        try #require(await loud.hear(19, "dropped"))
        end.signal()
        try #require(await loud.hear(1, "result"))
        while quietLog.times.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        // The quiet one's frame came before the loud one's newest.
        #expect(loudLog.times == [0])
        for _ in 0..<2 { end.signal() }
        for client in [loud, quiet] {
            try #require(await client.hear(client === loud ? 2 : 1, "result"))
            let ended = await client.stop()
            #expect(isBalanced(ended))
            await client.leave()
        }
        #expect(loudLog.times == [0, 20] && quietLog.times == [0])
    }
}

/// Finds one repetition in the first frame.
private struct OneRepetition: FrameAnalysing {
    private var isFirst = true
    private static let repetition = Sample.counted(start: 0, end: 1)

    mutating func take(_ frame: VideoFrame) throws -> LiveFindings {
        defer { isFirst = false }
        Thread.sleep(forTimeInterval: 0.01)
        guard isFirst, case .counted(let one) = Self.repetition else { return LiveFindings() }
        return LiveFindings(events: [.repetition(one)])
    }

    func catchUp() {}
    func apply(_ command: DrawingCommand) {}
    func finish() -> [AnalysisEvent] { [] }
    func write(to json: inout JSONText) {}
    func summarise(_ session: inout StoredSession) { session.repetitions = isFirst ? [] : [Self.repetition] }
}
