import Foundation
import KinemaCore
import KinemaMedia
import Testing

@testable import KinemaStudio

struct LiveFlowTests {
    private static let picture: Data = {
        let frame = VideoFrame(
            bitmap: Bitmap(width: 64, height: 48, red: 90, green: 120, blue: 150),
            id: TemporalSegmentIdentifier(source: "grey", range: 0..<1, timescale: 1))
        return (try? JPEGEncoder().jpeg(frame).bytes) ?? Data()
    }()

    private func isBalanced(_ ended: [String: Any]?) -> Bool {
        guard let ended, let sent = ended["sent"] as? Int, let analysed = ended["analysed"] as? Int,
            let dropped = ended["dropped"] as? Int
        else { return false }
        return sent == analysed + dropped
    }

    @Test(.timeLimit(.minutes(1)))
    func framesThatTakeLongHoldUpNoOtherClient() async throws {
        let held = ProcessInfo.processInfo.activeProcessorCount + 4
        let (began, end) = (SlowAnalysis.Log(), DispatchSemaphore(value: 0))
        let service = LiveService(LiveConfiguration(), turns: ModelTurns(atOnce: held)) { _, _ in
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

    @Test func aSlowAnalysisDropsAllButTheNewestAndTheSumsAgree() async throws {
        let client = LiveClient(.slow(pause: .milliseconds(30)))
        client.start("poses")
        for index in 0..<100 {
            client.show(Self.picture, at: Double(index))
            try await Task.sleep(for: .milliseconds(3))
        }
        let ended = await client.stop()
        #expect(isBalanced(ended))
        #expect(ended?["sent"] as? Int == 100)
        #expect(ended?["reason"] as? String == "stopped")
        let (analysed, dropped) = (ended?["analysed"] as? Int ?? 0, ended?["dropped"] as? Int ?? 0)
        #expect(analysed > 3 && analysed < 30, "analysed \(analysed)")
        // Every frame was answered, by a result or by word that it was dropped.
        #expect(client.all("result").count == analysed)
        #expect(client.all("dropped").count == dropped)
        await client.leave()
    }

    @Test(arguments: [false, true])
    func `poses that were asked for are kept where somebody was seen`(isSomeoneThere: Bool) async throws {
        let kept = KeptSessions()
        var configuration = LiveConfiguration()
        configuration.history = { kept.add($0) }
        let service = LiveService(configuration) { _, _ in
            SlowAnalysis(pause: .zero, findings: LiveFindings(poses: isSomeoneThere ? [Pose(from: [:])] : []))
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

    @Test func aSecondStartEndsTheFirstSessionAndItsSumsAgree() async throws {
        let client = LiveClient(.slow())
        client.start("poses")
        for index in 0..<20 { client.show(Self.picture, at: Double(index)) }
        client.start("poses")
        let ended = await client.next("ended")
        #expect(ended?["reason"] as? String == "replaced")
        #expect(isBalanced(ended))
        #expect(ended?["sent"] as? Int == 20)
        // The clock of the second begins anew.
        client.show(Self.picture, at: 0.5)
        let second = await client.stop()
        #expect(second?["sent"] as? Int == 1)
        #expect(isBalanced(second))
        await client.leave()
    }

    @Test(.timeLimit(.minutes(1)))
    func aClientThatGoesInMidFrameLeavesNoTaskAndItsSetIsKept() async throws {
        let kept = KeptSessions()
        var configuration = LiveConfiguration()
        configuration.history = { kept.add($0) }
        let service = LiveService(configuration, turns: ModelTurns(atOnce: 1)) { _, _ in OneRepetition() }
        let client = LiveClient(service)
        client.start("count")
        for index in 0..<10 { client.show(Self.picture, at: Double(index)) }
        _ = await client.next("started")
        client.socket.hangUp()
        // Serving ends only when every task of it has.
        await client.serving.value
        #expect(kept.all.count == 1)
        #expect(service.turns.waiting == 0)
    }

    @Test func framesInTheWrongOrderAreToldAndCounted() async throws {
        let client = LiveClient(.slow(pause: .zero))
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
        #expect(ended?["sent"] as? Int == 4)
        #expect(ended?["analysed"] as? Int == 2)
        await client.leave()
    }

    @Test func messagesWithoutASessionAreAnsweredInWords() async throws {
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

    @Test func whoTalksNonsenseOnAndOnHasToGo() async throws {
        let client = LiveClient(.slow())
        for _ in 0..<30 { client.socket.say("nonsense") }
        while let error = await client.next("error") { if error["fatal"] as? Bool == true { break } }
        #expect(client.heard.last?["fatal"] as? Bool == true)
        await client.serving.value
        #expect(client.socket.closed == 1008)
    }

    @Test func brokenPicturesCostNothingButThemselves() async throws {
        let client = LiveClient(.slow(pause: .zero))
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
        #expect(isBalanced(ended))
        await client.leave()
    }

    @Test func framesBeyondTheRateAreDroppedAndToldOnce() async throws {
        var configuration = LiveConfiguration()
        configuration.limits.framesPerSecond = 10
        let client = LiveClient(.slow(configuration, pause: .zero))
        client.start("poses")
        for index in 0..<40 { client.show(Self.picture, at: Double(index)) }
        let ended = await client.stop()
        #expect(client.all("error").filter { $0["code"] as? String == "too-fast" }.count == 1)
        #expect((ended?["dropped"] as? Int ?? 0) >= 29)
        #expect(isBalanced(ended))
        await client.leave()
    }

    @Test func aClientThatIsBehindGetsNoResultsButEveryEvent() async throws {
        let service = LiveService(LiveConfiguration(), turns: ModelTurns(atOnce: 1)) { _, _ in OneRepetition() }
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

    @Test func twoSocketsGetFairTurns() async throws {
        let log = SlowAnalysis.Log()
        let service = LiveService.slow(pause: .milliseconds(5), log: log)
        let clients = [LiveClient(service), LiveClient(service)]
        for client in clients { client.start("poses") }
        for client in clients { _ = await client.next("started") }
        // One sends ten times as many as the other.
        for index in 0..<600 {
            clients[0].show(Self.picture, at: Double(index))
            if index % 10 == 0 { clients[1].show(Self.picture, at: Double(index)) }
            try await Task.sleep(for: .milliseconds(1))
        }
        var ended: [[String: Any]] = []
        for client in clients { if let end = await client.stop() { ended.append(end) } }
        // Who sends little has hardly a frame dropped, however much the other sends.
        #expect(ended.allSatisfy(isBalanced))
        let quiet = try #require(ended.last)
        #expect((quiet["analysed"] as? Int ?? 0) >= 50, "\(quiet["analysed"] ?? "")")
        for client in clients { await client.leave() }
    }
}

/// Finds one repetition in the first frame.
private struct OneRepetition: FrameAnalysing {
    private var isFirst = true
    private static let repetition = KeptSession.Repetition(person: 1, start: 0, end: 1)

    mutating func take(_ frame: VideoFrame) async throws -> LiveFindings {
        defer { isFirst = false }
        try await Task.sleep(for: .milliseconds(10))
        return LiveFindings(events: isFirst ? [.repetition(Self.repetition, number: 1)] : [])
    }

    func catchUp() {}
    func obey(_ command: DrawingCommand) {}
    func finish() -> [LiveEvent] { [] }
    func write(to json: inout JSONText) {}
    func summarise(_ session: inout KeptSession) { session.repetitions = isFirst ? [] : [Self.repetition] }
}
