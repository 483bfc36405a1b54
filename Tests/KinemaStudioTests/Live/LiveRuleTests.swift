import Foundation
import KinemaCore
import Testing
@testable import KinemaHTTP
@testable import KinemaStudio

struct FrameAdmissionTests {
    private func frame(_ sequence: UInt32, _ time: Double) -> FrameMessage {
        FrameMessage(sequence: sequence, time: time, width: 0, height: 0, picture: .jpeg(Data([0])))
    }

    @Test func `time counts from the first frame`() {
        var admission = FrameAdmission(framesPerSecond: 60)
        let now = ContinuousClock.now
        #expect(admission.check(frame(1, 5000), at: now) == .admitted(0..<33_333))
        #expect(admission.check(frame(7, 5000.04), at: now) == .admitted(40_000..<80_000))
    }

    @Test(arguments: [(1, 11), (2, 10), (2, 9), (1, 10)] as [(UInt32, Double)])
    func `what does not rise is refused`(_ sequence: UInt32, _ time: Double) {
        var admission = FrameAdmission(framesPerSecond: 60)
        _ = admission.check(frame(1, 10), at: .now)
        guard case .refused(let problem) = admission.check(frame(sequence, time), at: .now) else {
            Issue.record("let in")
            return
        }
        #expect(problem.code == .wrongOrder && problem.sequence == sequence)
    }

    @Test func `a clock gone wrong is refused`() {
        var admission = FrameAdmission(framesPerSecond: 60)
        _ = admission.check(frame(1, -1e300), at: .now)
        guard case .refused = admission.check(frame(2, 1e300), at: .now) else {
            Issue.record("let in")
            return
        }
    }

    @Test func `frames that come too fast are reported once a second`() {
        var admission = FrameAdmission(framesPerSecond: 1)
        let begin = ContinuousClock.now
        let reported = (0..<30).map { index -> Bool in
            let frame = frame(UInt32(index), Double(index))
            return admission.check(frame, at: begin + .milliseconds(100 * index)) == .tooFast(isReported: true)
        }
        let moments = reported.indices.filter { reported[$0] }
        #expect(moments.count == 3 && zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 >= 10 })
    }

    @Test func `as many as the limit pass each second`() {
        var admission = FrameAdmission(framesPerSecond: 30)
        let begin = ContinuousClock.now
        var passed = 0
        // Sixty a second for ten seconds.
        for index in 0..<600 {
            let decision = admission.check(
                frame(UInt32(index), Double(index)), at: begin + .seconds(Double(index) / 60))
            if case .admitted = decision { passed += 1 }
        }
        #expect((300...331).contains(passed))
    }
}

struct FramingCheckTests {
    /// Somebody whose head and ankles are at these heights.
    private func person(head: Double, feet: Double, x: Double = 0.5) -> Pose {
        let places: [JointKey: CGPoint] = [
            .nose: CGPoint(x: x, y: head), .leftAnkle: CGPoint(x: x + 0.05, y: feet),
            .rightAnkle: CGPoint(x: x - 0.05, y: feet), .leftShoulder: CGPoint(x: x + 0.1, y: head - 0.1),
            .rightShoulder: CGPoint(x: x - 0.1, y: head - 0.1),
        ]
        return Pose(
            from: places.reduce(into: [:]) { $0[$1.key] = JointPoint($1.key, location: $1.value, confidence: 0.9) })
    }

    /// The states told, with the frame in which they were, at 30 frames a second.
    private func told(_ subject: FramingCheck.Subject, _ frames: [Pose?]) -> [(Int, SessionState.Name)] {
        var check = FramingCheck(subject)
        return frames.enumerated().compactMap { index, pose in
            check.take(pose.map { [$0] } ?? [], hands: 0, at: Double(index) / 30).map { (index, $0.name) }
        }
    }

    @Test func `a whole body is seen at once`() {
        let states = told(.wholeBody, [person(head: 0.9, feet: 0.1)])
        #expect(states.map(\.1) == [.live])
    }

    @Test func `feet that are cut off are told once they stay cut off`() {
        let good = [Pose?](repeating: person(head: 0.9, feet: 0.1), count: 10)
        let cut = [Pose?](repeating: person(head: 0.8, feet: -0.1), count: 60)
        let states = told(.wholeBody, good + cut + good + good)
        #expect(states.map(\.1) == [.live, .stepBack, .live])
        #expect((30...34).contains(states[1].0))
    }

    @Test(arguments: [(1.1, 0.2, "head"), (0.8, -0.1, "feet")])
    func `what is cut off is told in a word for programs`(head: Double, feet: Double, word: String) {
        var check = FramingCheck(.wholeBody)
        let states = (0..<60).compactMap { check.take([person(head: head, feet: feet)], hands: 0, at: Double($0) / 30) }
        #expect(states.map(\.detail) == [word])
    }

    @Test func `nobody for a moment is no state`() {
        let someone = person(head: 0.9, feet: 0.1)
        let frames = (0..<300).map { $0 % 20 < 10 ? someone : nil }
        #expect(told(.wholeBody, frames).map(\.1) == [.live])
    }

    @Test func `feet at the edge do not flicker`() {
        // The ankles tremble about the edge.
        let frames = (0..<600).map { person(head: 0.9, feet: 0.02 + 0.012 * sin(Double($0))) as Pose? }
        #expect(told(.wholeBody, frames).count <= 2)
    }

    @Test func `heads are missed too but not where anyone will do`() {
        let close = [Pose?](repeating: person(head: 1.1, feet: 0.2), count: 60)
        #expect(told(.wholeBody, close).map(\.1) == [.stepBack])
        #expect(told(.somebody, close).map(\.1) == [.live])
    }
}

struct DrawnLinesTests {
    private func stroke(_ id: Int, start: Double, points: Int) -> Stroke {
        var stroke = Stroke(id: id, hand: .right)
        for index in 0..<points { stroke.append(CGPoint(x: 0.1 * Double(index), y: 0.5), at: start + Double(index)) }
        return stroke
    }

    private func told(_ lines: inout DrawnLines) throws -> [String: Any] {
        var json = JSONText()
        json.object { lines.write(to: &$0) }
        return try #require(JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
    }

    @Test func `only what changed is told`() throws {
        let red = try #require(DrawingColour("#ff0000"))
        var lines = DrawnLines()
        lines.update([stroke(1, start: 0, points: 2)], colour: .usual)
        var message = try told(&lines)
        #expect((message["strokes"] as? [[String: Any]])?.count == 1)
        lines.update([stroke(1, start: 0, points: 2), stroke(1, start: 9, points: 1)], colour: red)
        message = try told(&lines)
        let strokes = try #require(message["strokes"] as? [[String: Any]])
        #expect(strokes.map { $0["id"] as? Int } == [2])
        #expect(strokes.first?["colour"] as? String == "#ff0000")
        // Undone.
        lines.update([stroke(1, start: 0, points: 2)], colour: red)
        message = try told(&lines)
        #expect(message["removed"] as? [Int] == [2])
        #expect((message["strokes"] as? [Any])?.isEmpty == true)
        #expect(message["cleared"] == nil)
    }

    @Test(arguments: ["", "red", "#ff00", "#ff00001", "#gg0000", "ff0000", "#ff000\u{FF10}", "\"><b"])
    func `what is no colour is refused`(_ text: String) { #expect(DrawingColour(text) == nil) }
}

struct OutboxTests {
    @Test func `messages are sent in order, and what waits is still sent after the close`() async {
        let (outbox, socket) = (Outbox(), MemorySocket())
        for number in 0..<3 { outbox.post(.text("\(number)"), isResult: number == 1) }
        #expect(!outbox.isKeepingUp)
        outbox.close()
        #expect(await outbox.drain(to: socket))
        #expect(outbox.isKeepingUp)
        await socket.close(code: 1000, reason: "")
        var sent: [SocketMessage] = []
        for await message in socket.received { sent.append(message) }
        #expect(sent == [.text("0"), .text("1"), .text("2")])
    }

    @Test func `a client that lets too many messages wait is given up`() async {
        let outbox = Outbox()
        for _ in 0..<2000 { outbox.post(.text("")) }
        #expect(await !outbox.drain(to: MemorySocket()))
    }

    @Test func `a client that has gone is given up`() async {
        let (outbox, socket) = (Outbox(), MemorySocket())
        socket.hangUp()
        outbox.post(.text(""))
        #expect(await !outbox.drain(to: socket))
    }
}
