@testable import KinemaHistory
import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio

/// What a session keeps besides what was found in it.
@Suite(.tags(.realTime)) struct LiveKeepingTests {
    private static let picture: Data = {
        let frame = VideoFrame(
            bitmap: Bitmap(width: 64, height: 48, red: 90, green: 120, blue: 150),
            id: TemporalSegmentIdentifier(source: "grey", range: 0..<1, timescale: 1))
        return (try? JPEGEncoder().jpeg(frame).bytes) ?? Data()
    }()
    private static let plan = "2b1e3c9c-7f0b-4e6b-9c1d-0a4f4b6d1e11"

    private static let scene = SynthScene.exercise(
        .jumpingJack, repetitions: 1, seed: 2, view: .front, secondsPerRepetition: 1,
        settings: .init(width: 320, height: 240))

    private func clip(in folder: TemporaryFolder) throws -> URL {
        let url = folder.file("clip.mp4")
        try RenderedVideo.write(Self.scene, to: url)
        return url
    }

    private func service(
        _ store: HistoryStore, upload: StudioUpload? = nil, isSomeoneThere: Bool = true,
        keepVideo: (@Sendable (UUID, URL, Bool) async throws -> SessionVideo?)? = nil
    ) -> LiveService {
        var configuration = LiveConfiguration()
        configuration.history = { try await store.add($0, replacing: $1) }
        configuration.keepVideo = { try await store.keepVideo($0, copying: $1, isCovered: $2) }
        if let keepVideo { configuration.keepVideo = keepVideo }
        configuration.upload = { _ in upload }
        return LiveService(configuration) { _, _ in
            SlowAnalysis(pause: 0, findings: LiveFindings(poses: isSomeoneThere ? [Pose(from: [:])] : []))
        }
    }

    @Test func `sets of a person belong to one workout, which the studio finds, and uploads to none`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        var configuration = LiveConfiguration()
        configuration.history = { try await store.add($0, replacing: $1) }
        configuration.workout = { try await store.workout(of: $0, at: $1) }
        let upload = try StudioUpload(of: try clip(in: folder), name: "mine.mp4", in: folder)
        configuration.upload = { _ in upload }
        let service = LiveService(configuration) { _, _ in
            SlowAnalysis(pause: 0, findings: LiveFindings(poses: [Pose(from: [:])]))
        }
        func workout(_ details: String) async throws -> String? {
            let client = LiveClient(service)
            client.start("count", #","keepPoses":true,"details":\#(details)"#)
            _ = await client.next("started")
            _ = await client.showAndWait(Self.picture, at: 1)
            let ended = await client.stop()
            await client.leave()
            #expect(ended?["kept"] as? Bool == true)
            let summary = try #require(ended?["summary"] as? [String: Any])
            return (summary["details"] as? [String: Any])?["workout"] as? String
        }
        let first = try #require(try await workout(#"{"person":"Ada"}"#))
        #expect(try await workout(#"{"person":"Ada"}"#) == first)
        let nobody = try #require(try await workout("{}"))
        #expect(nobody != first)
        #expect(try await workout("{}") == nobody)
        #expect(try await workout(#"{"workout":"\#(Self.plan)"}"#)?.lowercased() == Self.plan)
        let client = LiveClient(service)
        client.socket.say(
            #"{"type":"start","mode":"count","source":{"kind":"upload","id":"a"},"keepPoses":true,"details":{"person":"Ada"}}"#
        )
        let ended = await client.next("ended")
        let details = (ended?["summary"] as? [String: Any])?["details"] as? [String: Any]
        #expect(details?["person"] as? String == "Ada" && details?["workout"] == nil)
        await client.leave()
    }

    @Test func `the kept video hides what was asked for`() async throws {
        let folder = try TemporaryFolder()
        let url = try clip(in: folder)
        let upload = try StudioUpload(of: url, name: "mine.mp4", in: folder)
        let store = try HistoryStore(folder.file("history.sqlite"))
        let client = LiveClient(service(store, upload: upload))
        client.socket.say(
            #"{"type":"start","mode":"poses","source":{"kind":"upload","id":"a"},"keepPoses":true,"keepVideo":true,"hide":"background"}"#
        )
        #expect(await client.next("ended")?["kept"] as? Bool == true)
        let session = try #require(try await store.sessions().first)
        let video = try #require(try await store.video(session.id))
        #expect(try Data(contentsOf: video) != Data(contentsOf: url))
        var frames = 0
        for try await frame in try await VideoReader.read(contentsOf: video) {
            let corner = try frame.feature.bitmap()[4, 4]
            #expect(abs(Int(corner.red) - 40) < 12 && abs(Int(corner.blue) - 40) < 12)
            frames += 1
        }
        #expect(frames == Self.scene.frameCount)
        await client.leave()
    }

    @Test func `a session whose video cannot be kept is kept, and the error says both`() async throws {
        let folder = try TemporaryFolder()
        let upload = try StudioUpload(of: try clip(in: folder), name: "mine.mp4", in: folder)
        let store = try HistoryStore(folder.file("history.sqlite"))
        let service = service(
            store, upload: upload, keepVideo: { _, _, _ in throw KinemaError(.unreadableInput, "gone") })
        let client = LiveClient(service)
        client.socket.say(
            #"{"type":"start","mode":"poses","source":{"kind":"upload","id":"a"},"keepPoses":true,"keepVideo":true}"#)
        let error = await client.next("error")
        #expect(error?["code"] as? String == "not-kept")
        #expect(error?["message"] as? String == "the session is kept without its video: gone")
        #expect(await client.next("ended")?["kept"] as? Bool == true)
        #expect(try await store.sessions().count == 1)
        await client.leave()
    }

    @Test(arguments: [true, false])
    func `an uploaded video is kept with its session and only then`(isSomeoneThere: Bool) async throws {
        let folder = try TemporaryFolder()
        let url = try clip(in: folder)
        let upload = try StudioUpload(of: url, name: "mine.mp4", in: folder)
        let store = try HistoryStore(folder.file("history.sqlite"))
        let client = LiveClient(service(store, upload: upload, isSomeoneThere: isSomeoneThere))
        client.socket.say(
            #"{"type":"start","mode":"poses","source":{"kind":"upload","id":"a"},"keepPoses":true,"keepVideo":true}"#)
        let ended = await client.next("ended")
        #expect(ended?["kept"] as? Bool == isSomeoneThere)
        let sessions = try await store.sessions()
        #expect(sessions.count == (isSomeoneThere ? 1 : 0))
        let bytes = try Data(contentsOf: url)
        if let session = sessions.first {
            #expect(session.video == SessionVideo(type: .mp4, bytes: bytes.count))
            let video = try #require(try await store.video(session.id))
            #expect(try Data(contentsOf: video) == bytes)
            let summary = ended?["summary"] as? [String: Any]
            #expect((summary?["video"] as? [String: Any])?["bytes"] as? Int == bytes.count)
        } else {
            #expect(!FileManager.default.fileExists(atPath: folder.file("history.videos").path))
        }
        await client.leave()
    }

    @Test func `the set of a plan is kept with its session as it came`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        let client = LiveClient(service(store))
        client.start("poses", #","keepPoses":true,"plan":{"plan":"\#(Self.plan)","set":1,"sets":2,"target":10}"#)
        client.show(Self.picture, at: 0)
        _ = await client.next("result")
        _ = await client.stop()
        let session = try #require(try await store.sessions().first)
        #expect(session.plan == SessionPlan(plan: Self.plan, set: 1, sets: 2, target: 10))
        await client.leave()
    }

    @Test(.timeLimit(.minutes(1))) func `a session that goes on when the studio ends is kept`() async throws {
        let folder = try TemporaryFolder()
        let store = try HistoryStore(folder.file("history.sqlite"))
        try await StudioUnderTest.run(live: service(store)) { studio in
            let socket = try await RawSocket.open(studio)
            try await socket.send(#"{"type":"start","mode":"poses","source":{"kind":"browser"},"keepPoses":true}"#)
            let frame = FrameMessage(sequence: 0, time: 0, width: 64, height: 48, picture: .jpeg(Self.picture))
            try await socket.send(0x82, Array(frame.bytes))
            while let heard = try await socket.frames(1).first, !heard.text.contains(#""type":"result""#) {}
        }
        #expect(try await store.sessions().count == 1)
    }

    @Test(arguments: [
        #"{"plan":"x","set":1,"sets":2}"#, #"{"plan":"\#(plan)","set":0,"sets":2}"#,
        #"{"plan":"\#(plan)","set":1,"sets":101}"#, #"{"plan":"\#(plan)","set":1,"sets":2,"target":0}"#,
        #"{"plan":"\#(plan)","set":1.5,"sets":2}"#, #"{"plan":"\#(plan)"}"#, #""plan""#, "[]", "1",
    ]) func `a plan that makes no sense is told and nothing starts`(_ plan: String) async throws {
        let client = LiveClient(.slow())
        client.start("poses", #","plan":\#(plan)"#)
        let error = await client.next("error", "started")
        #expect(error?["code"] as? String == "bad-message")
        #expect((error?["message"] as? String)?.contains("1 to 100") == true)
        await client.leave()
    }
}
