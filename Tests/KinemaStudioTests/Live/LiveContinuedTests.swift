@testable import KinemaHistory
import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

@testable import KinemaStudio

/// A set whose connection was lost in between is one session in the history.
@Suite(.tags(.realTime)) struct LiveContinuedTests {
    private static let picture: Data = {
        let frame = VideoFrame(
            bitmap: Bitmap(width: 64, height: 48, red: 90, green: 120, blue: 150),
            id: TemporalSegmentIdentifier(source: "grey", range: 0..<1, timescale: 1))
        return (try? JPEGEncoder().jpeg(frame).bytes) ?? Data()
    }()

    /// An analysis that finds two repetitions.
    private struct Two: FrameAnalysing {
        mutating func take(_ frame: VideoFrame) throws -> LiveFindings { LiveFindings(poses: [Pose(from: [:])]) }
        func catchUp() {}
        func apply(_ command: DrawingCommand) {}
        func finish() -> [AnalysisEvent] { [] }
        func write(to json: inout JSONText) {}
        func summarise(_ session: inout StoredSession) {
            // Within the session, which is over in a moment.
            let whole = session.duration
            session.repetitions = [
                Sample.counted(number: 1, start: 0.1 * whole, end: 0.2 * whole),
                Sample.counted(number: 2, start: 0.3 * whole, end: 0.4 * whole),
            ]
            session.count = 2
        }
    }

    private func service(_ store: HistoryStore) -> LiveService {
        var configuration = LiveConfiguration()
        configuration.history = { try await store.add($0, replacing: $1) }
        configuration.remembered = { try await store.session($0) }
        return LiveService(configuration) { _, _ in Two() }
    }

    private func set(_ store: HistoryStore, _ more: String = "") async -> [String: Any]? {
        let client = LiveClient(service(store))
        client.start("count", #","keepPoses":true"# + more)
        client.show(Self.picture, at: 0)
        _ = await client.next("result")
        let ended = await client.stop()
        await client.leave()
        return ended
    }

    @Test func `a set that goes on after the connection was lost is one set, numbered on`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let first = try #require(await set(store)?["session"] as? String)
        let ended = await set(store, #","continues":"\#(first)""#)
        #expect(ended?["session"] as? String == first && ended?["continued"] as? Bool == true)
        #expect((ended?["summary"] as? [String: Any])?["count"] as? Int == 4)
        let kept = try #require(try await store.sessions().first)
        #expect(try await store.sessions().count == 1 && kept.count == 4 && kept.listFault == nil)
        let numbers = kept.repetitions.map { one -> Int in
            guard case .counted(let counted) = one else { return 0 }
            #expect(counted.start >= 0 && counted.end <= kept.duration + 1)
            return counted.number
        }
        #expect(numbers == [1, 2, 3, 4])
        #expect(zip(kept.repetitions, kept.repetitions.dropFirst()).allSatisfy { $0.end <= $1.start })
        let poses = try #require(try await store.session(kept.id)?.poses)
        let frames = try PoseLinesReader.frames(Array(poses), file: "poses")
        #expect(frames.count == 2 && frames[1].time > frames[0].time)
    }

    @Test(arguments: [
        #""plan":{"plan":"2b1e3c9c-7f0b-4e6b-9c1d-0a4f4b6d1e11","set":2,"sets":3}"#, #""keep":true"#,
    ]) func `another set, or one of which nothing was kept, stands for itself`(_ more: String) async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let first = try #require(await set(store)?["session"] as? String)
        let isOther = more.contains("plan")
        let named = isOther ? first : "2B1E3C9C-7F0B-4E6B-9C1D-0A4F4B6D1E99"
        let ended = await set(store, #","continues":"\#(named)",\#(more)"#)
        #expect(ended?["continued"] == nil)
        let sessions = try await store.sessions()
        #expect(sessions.count == 2 && sessions.allSatisfy { $0.count == 2 })
        #expect(sessions.contains { $0.id.uuidString == first })
    }

    @Test func `the part before a silent connection joins what was stored and annotated since`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        // The studio does not know yet that this connection is lost.
        let lost = LiveClient(service(store))
        lost.start("count", #","keepPoses":true"#)
        let first = try #require(await lost.next("started")?["session"] as? String)
        lost.show(Self.picture, at: 0)
        _ = await lost.next("result")
        // The history stores dates in milliseconds: parts of the same one have no order.
        try await Task.sleep(for: .milliseconds(5))
        let second = try #require(await set(store, #","continues":"\#(first)""#))
        #expect(second["session"] as? String == first && second["kept"] as? Bool == true)
        let id = try #require(UUID(uuidString: first))
        let later = try #require(try await store.session(id)?.repetitions.last)
        _ = try await store.annotate(id, .note("the last two were hard"))
        _ = try await store.annotate(id, .marks([SessionMark(start: 0, end: 0.5, label: "x")]))
        let film = folder.file("film.mp4")
        try (Data("\0\0\0\u{20}ftypisom".utf8) + Data(repeating: 7, count: 500)).write(to: film)
        let video = try #require(try await store.keepVideo(id, copying: film))
        let ended = try #require(await lost.stop())
        await lost.leave()
        #expect(ended["session"] as? String == first && ended["continued"] as? Bool == true)
        let kept = try #require(try await store.session(id))
        #expect(try await store.sessions().count == 1 && kept.count == 4 && kept.listFault == nil)
        #expect(kept.note == "the last two were hard" && kept.video == video && kept.marks.map(\.label) == ["x"])
        let file = try #require(try await store.video(id))
        #expect(FileManager.default.fileExists(atPath: file.path))
        // The mark moved with its part.
        let offset = try #require(kept.repetitions.last).end - later.end
        #expect(offset > 0 && abs(kept.marks[0].start - offset) < 0.01)
        let poses = try #require(kept.poses)
        #expect(try PoseLinesReader.frames(Array(poses), file: "poses").count == 2)
    }

    @Test func `a part is kept apart where the stored one cannot be read`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let first = try #require(await set(store)?["session"] as? String)
        var configuration = LiveConfiguration()
        configuration.history = { try await store.add($0, replacing: $1) }
        configuration.remembered = { _ in throw KinemaError(.unwritableOutput, "another program keeps writing") }
        let client = LiveClient(LiveService(configuration) { _, _ in Two() })
        client.start("count", #","keepPoses":true,"continues":"\#(first)""#)
        client.show(Self.picture, at: 0)
        _ = await client.next("result")
        let ended = await client.stop()
        await client.leave()
        #expect(ended?["kept"] as? Bool == true && ended?["continued"] == nil)
        #expect(ended?["session"] as? String != first)
        #expect(try await store.sessions().map(\.count) == [2, 2])
    }

    @Test func `parts are joined in order of time, whichever is stored first`() {
        var early = StoredSession(
            date: Date(timeIntervalSince1970: 1_000), mode: .count, source: "camera", duration: 10)
        early.repetitions = [Sample.counted(start: 1, end: 2)]
        early.count = 1
        var late = early
        late.date += 20
        late.corrections = [CorrectedRepetition(id: 1, start: 3, end: 4)]
        let whole = late.joined(with: early)
        #expect(whole.date == early.date && whole.duration == 30 && whole.count == 2)
        #expect(whole.repetitions.map(\.start) == [1, 21])
        #expect(whole.corrections?.map(\.start) == [1, 23])
        #expect(early.joined(with: late).repetitions == whole.repetitions)
        let request = StartRequest(mode: .count, source: .browser(name: nil))
        #expect(late.goesOn(with: request, at: early.date, lasting: 10))
        #expect(!late.goesOn(with: request, at: early.date.addingTimeInterval(-700), lasting: 10))
        #expect(late.goesOn(with: request, at: early.date.addingTimeInterval(-700), lasting: 700))
    }

    @Test func `a session of long ago, or of another exercise, does not go on`() {
        var earlier = StoredSession(
            date: Date(timeIntervalSince1970: 1_000), mode: .coach, source: "camera", duration: 30)
        earlier.exercise = "squat"
        var request = StartRequest(mode: .coach, source: .browser(name: nil))
        func goesOn(after seconds: Double) -> Bool {
            earlier.goesOn(with: request, at: Date(timeIntervalSince1970: 1_030 + seconds))
        }
        #expect(goesOn(after: 5) && goesOn(after: 599) && !goesOn(after: 601))
        request.exercise = "auto"
        #expect(goesOn(after: 5))
        request.exercise = "push_up"
        #expect(!goesOn(after: 5))
        (request.exercise, request.mode) = ("squat", .count)
        #expect(!goesOn(after: 5))
    }
}
