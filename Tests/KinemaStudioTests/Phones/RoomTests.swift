@testable import KinemaHistory
import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Synchronization
import Testing

@testable import KinemaHTTP
@testable import KinemaPhones
@testable import KinemaStudio

/// All sessions at once, and connections that outlive their network.
@Suite(.tags(.realTime), .timeLimit(.minutes(2))) struct RoomTests {
    private static let picture: Data = {
        let frame = VideoFrame(
            bitmap: Bitmap(width: 64, height: 48, red: 90, green: 120, blue: 150),
            id: TemporalSegmentIdentifier(source: "grey", range: 0..<1, timescale: 1))
        return (try? JPEGEncoder().jpeg(frame).bytes) ?? Data()
    }()

    /// Counts every frame.
    private struct Counting: FrameAnalysing {
        var count = 0

        mutating func take(_ frame: VideoFrame) throws -> LiveFindings {
            count += 1
            return LiveFindings(poses: [Pose(from: [:])])
        }

        func catchUp() {}
        func apply(_ command: DrawingCommand) {}
        func finish() -> [AnalysisEvent] { [] }
        func write(to json: inout JSONText) { json.field("frames", count) }
        var standing: SessionStanding? { SessionStanding(count: count, exercise: "squat", title: "Squat") }
        func summarise(_ session: inout StoredSession) {
            session.count = count
            session.repetitions = (1...max(1, count)).map { number in
                let part = session.duration / Double(max(1, count) + 1)
                return Sample.counted(
                    number: number, start: part * (Double(number) - 0.5), end: part * (Double(number) - 0.1))
            }
        }
    }

    private static func service(_ sessions: StoredSessions = StoredSessions()) -> LiveService {
        var configuration = LiveConfiguration()
        configuration.history = { session, _ in sessions.add(session) }
        return LiveService(configuration) { _, _ in Counting() }
    }

    private static let start = #"{"type":"start","mode":"count","source":{"kind":"browser"},"name":"Anna"}"#

    private static func frame(_ sequence: UInt32) -> Data {
        FrameMessage(sequence: sequence, time: Double(sequence) / 10, width: 64, height: 48, picture: .jpeg(picture))
            .bytes
    }

    private static func type(_ text: String) -> String? {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])?["type"] as? String
    }

    /// Reads frames until one of a type.
    private static func next(_ type: String, _ socket: RawSocket) async throws -> [String: Any]? {
        while let frame = try await socket.frames(1).first, frame.opcode != 8 {
            guard frame.opcode == 1, Self.type(frame.text) == type else { continue }
            return try JSONSerialization.jsonObject(with: Data(frame.text.utf8)) as? [String: Any]
        }
        return nil
    }

    private static func wait(_ condition: () async throws -> Bool) async throws {
        while try await !condition() { try await Task.sleep(for: .milliseconds(10)) }
    }

    // MARK: The room

    @Test func `a room shows counts, losses and ends, and the chosen session`() throws {
        let room = Room(mostPhones: 2, memory: .seconds(60))
        let now = ContinuousClock.now
        let (first, second) = (UUID(), UUID())
        let anna = try #require(
            room.begin(first, name: "Anna", phone: "a", link: "x", mode: "coach", target: 10, at: now))
        let page = try #require(
            room.begin(second, name: "Studio", phone: nil, link: nil, mode: "count", target: nil, at: now))
        room.report(anna, "live", "")
        for step in 1...10 {
            room.update(
                anna, SessionStanding(count: step, exercise: "squat", title: "Squat"), milliseconds: 80, width: 480,
                height: 640, at: now + .milliseconds(100 * step))
        }
        let tile = try #require(room.snapshot(at: now + .seconds(2)).sessions.first)
        #expect(tile.count == 10 && tile.exercise == "squat" && tile.framesPerSecond == 10 && tile.seconds == 2)
        #expect(room.snapshot().now == page)
        #expect(room.choose(anna) && room.snapshot().now == anna && !room.choose("unknown"))
        room.mark(link: "x", isLost: true)
        #expect(room.snapshot().sessions.first?.state == "lost")
        room.mark(link: "x", isLost: false)
        #expect(room.snapshot().sessions.first?.state == "live")
        room.end(anna, session: first, at: now + .seconds(5))
        #expect(room.snapshot(at: now + .seconds(6)).sessions.first?.state == "ended")
        #expect(room.snapshot(at: now + .seconds(66)).sessions.map(\.id) == [page])
        #expect(room.snapshot(at: now + .seconds(66)).chosen == nil)
    }

    @Test func `two phones of one person are one set and the first one counts it`() throws {
        let room = Room(mostPhones: 4, memory: .seconds(60))
        let now = ContinuousClock.now
        func begin(_ phone: String, _ partner: String?, mode: String = "count") throws -> (tile: String, session: UUID)
        {
            let session = UUID()
            return (
                try #require(
                    room.begin(
                        session, name: phone, phone: phone, link: phone, mode: mode, target: nil, partner: partner,
                        at: now)),
                session
            )
        }
        // Standing in view is no set.
        let waiting = try begin("b", "a", mode: "poses")
        let front = try begin("a", "b")
        let side = try begin("b", "a")
        let alone = try begin("c", nil)
        #expect(room.set(of: front.tile) == nil && room.set(of: waiting.tile) == nil && room.set(of: alone.tile) == nil)
        // Frames come late, by 100 to 400 ms; the one that was least late tells the time.
        for (step, late) in [400, 100, 250].enumerated() {
            let time = Double(step) / 10
            room.update(
                front.tile, nil, time: time, milliseconds: 50, width: 480, height: 640,
                at: now + .seconds(1 + time) + .milliseconds(50 + late))
            room.update(
                side.tile, nil, time: time, milliseconds: 80, width: 480, height: 640,
                at: now + .seconds(1.7 + time) + .milliseconds(80 + late))
        }
        let set = try #require(room.set(of: side.tile))
        #expect(set.session == front.session && abs(set.offset - 0.7) < 0.001)
        let tiles = room.snapshot(at: now).sessions
        #expect(tiles.first { $0.id == side.tile }?.beside == front.tile)
        room.end(alone.tile, session: alone.session, at: now + .seconds(2))
        #expect(room.snapshot(at: now + .seconds(2)).now == front.tile, "a second view is not shown on the television")
        // The set was kept under another number, and is forgotten before the other phone ends.
        let kept = UUID()
        room.end(front.tile, session: kept, at: now + .seconds(3))
        _ = room.snapshot(at: now + .seconds(90))
        let later = try #require(room.set(of: side.tile))
        #expect(later.session == kept && abs(later.offset - 0.7) < 0.001)
    }

    @Test func `one phone too many is refused until another ends`() {
        let room = Room(mostPhones: 2)
        func begin(_ phone: String?) -> String? {
            room.begin(UUID(), name: "", phone: phone, link: phone, mode: "count", target: nil)
        }
        let first = begin("a")
        #expect(first != nil && begin("b") != nil && begin("c") == nil && begin(nil) != nil)
        room.end(first ?? "", session: UUID())
        #expect(begin("c") != nil)
        // A phone takes one place, whatever it begins: what it does, and what its lost network left.
        let other = Room(mostPhones: 2)
        func again(_ phone: String) -> String? {
            other.begin(UUID(), name: "", phone: phone, link: phone, mode: "count", target: nil)
        }
        #expect(again("a") != nil && again("a") != nil && again("a") == nil && again("b") != nil)
        #expect(other.phonesAtWork == 2)
    }

    @Test func `phones that are shut out leave the owner's page its events`() async throws {
        let room = Room()
        let (owner, phone) = (room.changes(for: nil), room.changes(for: "a"))
        room.endChanges()
        var count = 0
        for await _ in phone { count += 1 }
        #expect(count <= 1)
        _ = room.begin(UUID(), name: "", phone: nil, link: nil, mode: "count", target: nil)
        var changes = owner.makeAsyncIterator()
        #expect(await changes.next() != nil)
        _ = room.begin(UUID(), name: "", phone: nil, link: nil, mode: "count", target: nil)
        #expect(await changes.next() != nil)
    }

    @Test func `the first socket of a connection is greeted as new, however late it comes`() async throws {
        try await PhoneUnderTest.run(live: Self.service()) { stranger in
            let phone = try await stranger.paired()
            let known = try #require(phone.service.registry.all.last)
            let link = phone.service.links.link(key: nil, for: known)
            // The session has said hello by then.
            try await Self.wait { link.isBehind }
            let first = try await Self.next("hello", phone.socket(key: link.key))
            #expect(first?["resumed"] as? Bool == false && first?["key"] as? String == link.key)
            let second = try await Self.next("hello", phone.socket(key: link.key))
            #expect(second?["resumed"] as? Bool == true)
        }
    }

    @Test func `the fifth phone is told so and the four go on`() async throws {
        try await PhoneUnderTest.run(live: Self.service(), most: 4) { stranger in
            let phone = try await stranger.paired()
            var phones: [RawSocket] = []
            for _ in 0..<4 {
                let one = try await stranger.paired("another")
                let socket = try await one.socket()
                try await socket.send(Self.start)
                #expect(try await Self.next("started", socket) != nil)
                phones.append(socket)
            }
            let socket = try await phone.socket()
            try await socket.send(Self.start)
            let error = try await Self.next("error", socket)
            #expect(error?["code"] as? String == "busy" && error?["fatal"] as? Bool == false)
            #expect((error?["message"] as? String)?.hasPrefix("4 phones are analysed") == true)
            try await phones[0].send(0x82, Array(Self.frame(1)))
            #expect(try await Self.next("result", phones[0]) != nil)
            try await phones[0].send(#"{"type":"stop"}"#)
            #expect(try await Self.next("ended", phones[0]) != nil)
            try await socket.send(Self.start)
            #expect(try await Self.next("started", socket) != nil)
        }
    }

    @Test func `the owner sees every session as events, and a second screen the chosen one`() async throws {
        try await PhoneUnderTest.run(live: Self.service()) { stranger in
            let phone = try await stranger.paired()
            let socket = try await phone.socket()
            try await socket.send(Self.start)
            #expect(try await Self.next("started", socket) != nil)
            let screen = try await phone.client()
            try await screen.send(phone.request("GET", "/api/room/now/events"))
            var heard = ""
            try await Self.wait {
                heard += String(decoding: try await screen.receive() ?? [], as: UTF8.self)
                return heard.contains(#""name":"Anna""#)
            }
            #expect(heard.contains("text/event-stream") && heard.contains("data: {\"session\":{"))
            for number in 1...3 {
                try await socket.send(0x82, Array(Self.frame(UInt32(number))))
                #expect(try await Self.next("result", socket)?["frames"] as? Int == number)
            }
            try await Self.wait {
                heard += String(decoding: try await screen.receive() ?? [], as: UTF8.self)
                return heard.contains(#""count":3"#)
            }
            let room = try await phone.owner("GET", "/api/room")
            let tile = try #require((room?.json["sessions"] as? [[String: Any]])?.first)
            #expect(tile["count"] as? Int == 3 && tile["phone"] as? String == phone.id)
            #expect(tile["title"] as? String == "Squat" && tile["state"] as? String != "ended")
            // Revoking ends the second screen too.
            try expect(204, await phone.owner("DELETE", "/api/phones/\(phone.id)"))
            try await Self.wait {
                heard += String(decoding: try await screen.receive() ?? Array("0\r\n\r\n".utf8), as: UTF8.self)
                return heard.hasSuffix("0\r\n\r\n")
            }
        }
    }

    // MARK: Connections

    @Test func `a set goes on after a lost network and is kept once`() async throws {
        let sessions = StoredSessions()
        try await PhoneUnderTest.run(live: Self.service(sessions)) { stranger in
            let phone = try await stranger.paired()
            let socket = try await phone.socket()
            let hello = try await Self.next("hello", socket)
            let key = try #require(hello?["key"] as? String)
            #expect(hello?["resumed"] as? Bool == false && hello?["resumeSeconds"] as? Int == 60)
            try await socket.send(Self.start)
            let started = try await Self.next("started", socket)
            try await socket.send(0x82, Array(Self.frame(1)))
            #expect(try await Self.next("result", socket)?["frames"] as? Int == 1)
            await socket.client.close()
            try await Self.wait { phone.service.room.snapshot().sessions.first?.state == "lost" }
            // Somebody else's phone cannot take it.
            let other = try await stranger.paired("other")
            let wrong = try await Self.next("hello", other.socket(key: key))
            #expect(wrong?["resumed"] as? Bool == false && wrong?["key"] as? String != key)
            let again = try await phone.socket(key: key)
            #expect(try await Self.next("hello", again)?["resumed"] as? Bool == true)
            #expect(phone.service.room.snapshot().sessions.first?.state != "lost")
            try await again.send(0x82, Array(Self.frame(2)))
            #expect(try await Self.next("result", again)?["frames"] as? Int == 2)
            // A newer socket takes over from one that only looks alive.
            let newest = try await phone.socket(key: key)
            #expect(try await again.frames().last?.status == 4001)
            #expect(try await Self.next("hello", newest)?["resumed"] as? Bool == true)
            try await newest.send(0x82, Array(Self.frame(3)))
            #expect(try await Self.next("result", newest)?["frames"] as? Int == 3)
            try await newest.send(#"{"type":"stop"}"#)
            let ended = try await Self.next("ended", newest)
            #expect(ended?["session"] as? String == started?["session"] as? String)
        }
        #expect(sessions.all.map(\.count) == [3])
    }

    @Test func `what the second phone of a person films is kept as another view of the set`() async throws {
        let sessions = StoredSessions()
        try await PhoneUnderTest.run(live: Self.service(sessions)) { stranger in
            var (phones, sockets): ([String], [RawSocket]) = ([], [])
            for name in ["front", "side"] {
                let phone = try await stranger.paired(name)
                phones.append(phone.id)
                sockets.append(try await phone.socket())
            }
            try expect(
                200,
                await stranger.owner("PATCH", "/api/phones/\(phones[0])", body: #"{"with":"\#(phones[1])"}"#))
            for socket in sockets {
                try await socket.send(Self.start)
                #expect(try await Self.next("started", socket) != nil)
                try await socket.send(0x82, Array(Self.frame(1)))
                #expect(try await Self.next("result", socket) != nil)
            }
            // The side's phone is stopped first: the set is still running then.
            for socket in sockets.reversed() {
                try await socket.send(#"{"type":"stop"}"#)
                #expect(try await Self.next("ended", socket) != nil)
            }
        }
        let (side, front) = (try #require(sessions.all.first), try #require(sessions.all.last))
        #expect(side.view?.of == front.id && front.view == nil && side.details == nil)
        #expect((0.0..<10).contains(side.view?.offset ?? -1))
    }

    @Test func `a phone that does not come back ends its set, which is kept`() async throws {
        let sessions = StoredSessions()
        let change: (inout PhoneService.Configuration) -> Void = {
            ($0.links.resume, $0.links.watchInterval) = (.milliseconds(200), .milliseconds(20))
        }
        try await PhoneUnderTest.run(live: Self.service(sessions), phones: change) { stranger in
            let phone = try await stranger.paired()
            let socket = try await phone.socket()
            let key = try #require(try await Self.next("hello", socket)?["key"] as? String)
            try await socket.send(Self.start)
            try await socket.send(0x82, Array(Self.frame(1)))
            #expect(try await Self.next("result", socket) != nil)
            await socket.client.close()
            try await Self.wait { sessions.all.count == 1 }
            try await Self.wait { phone.service.room.snapshot().sessions.first?.state == "ended" }
            let again = try await phone.socket(key: key)
            #expect(try await Self.next("hello", again)?["resumed"] as? Bool == false)
        }
        #expect(sessions.all.map(\.count) == [1])
    }

    @Test func `requests carry the same session as a socket`() async throws {
        let sessions = StoredSessions()
        try await PhoneUnderTest.run(live: Self.service(sessions)) { stranger in
            let phone = try await stranger.paired()
            let opened = try await phone.ask("POST", "/api/live")
            expect(201, opened)
            let key = try #require(opened?.json["key"] as? String)
            #expect(opened?.messages.first?["type"] as? String == "hello")
            let place = "/api/live/\(key)"
            let json = ["Content-Type": "application/json"]
            var heard = try #require(try await phone.ask("POST", place, json, body: Self.start)).messages
            for number in 1...3 as ClosedRange<UInt32> {
                let answer = try await phone.ask(
                    "POST", place, ["Content-Type": "application/octet-stream"], bytes: Self.frame(number))
                let result = answer?.messages.last { $0["type"] as? String == "result" }
                #expect(result?["sequence"] as? Int == Int(number) && result?["frames"] as? Int == Int(number))
                heard += answer?.messages ?? []
            }
            #expect(heard.count { $0["type"] as? String == "started" } == 1)
            // An unreadable frame is an error for it alone.
            let wrong = try await phone.ask("POST", place, bytes: Data("KFR1".utf8))
            #expect(wrong?.messages.contains { $0["code"] as? String == "bad-frame" } == true)
            // Another phone cannot reach it, and a socket can go on with it.
            let other = try await stranger.paired("other")
            try expect(404, await other.ask("GET", place + "?wait=0"))
            let socket = try await phone.socket(key: key)
            #expect(try await Self.next("hello", socket)?["resumed"] as? Bool == true)
            await socket.client.close()
            var rest = try #require(try await phone.ask("POST", place, json, body: #"{"type":"stop"}"#)).messages
            try await Self.wait {
                if rest.contains(where: { $0["type"] as? String == "ended" }) { return true }
                rest += try await phone.ask("GET", place)?.messages ?? []
                return false
            }
            try expect(204, await phone.ask("DELETE", place))
            try await Self.wait { try await phone.ask("GET", place + "?wait=0")?.status == 404 }
        }
        #expect(sessions.all.map(\.count) == [3])
    }

    @Test func `a phone has only its own camera and continues only its own sets`() async throws {
        try await PhoneUnderTest.run(live: Self.service()) { stranger in
            let phone = try await stranger.paired()
            let socket = try await phone.socket()
            for source in [
                #"{"kind":"camera","device":"/dev/video0"}"#, #"{"kind":"stream","url":"rtsp://10.0.0.1/"}"#,
                #"{"kind":"input","name":"clip"}"#, #"{"kind":"upload","id":"x"}"#,
            ] {
                try await socket.send(#"{"type":"start","mode":"count","source":\#(source)}"#)
                #expect(try await Self.next("error", socket)?["code"] as? String == "owner-only")
            }
            try await socket.send(
                #"{"type":"start","mode":"count","source":{"kind":"browser"},"continues":"\#(UUID())"}"#)
            #expect(try await Self.next("error", socket)?["code"] as? String == "owner-only")
        }
    }

    @Test func `a flood of messages by requests is refused`() async throws {
        let change: (inout PhoneService.Configuration) -> Void = {
            ($0.links.messagesPerSecond, $0.links.messageBurst) = (0, 3)
        }
        try await PhoneUnderTest.run(live: Self.service(), phones: change) { stranger in
            let phone = try await stranger.paired()
            let key = try #require(try await phone.ask("POST", "/api/live")?.json["key"] as? String)
            var codes: [String?] = []
            for _ in 0..<4 {
                let answer = try await phone.ask(
                    "POST", "/api/live/\(key)", ["Content-Type": "application/json"], body: "{}")
                codes.append(answer?.code)
            }
            #expect(codes == [nil, nil, nil, "too-fast"])
        }
    }
}
