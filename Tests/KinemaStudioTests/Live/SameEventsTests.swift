@testable import KinemaHistory
import KinemaPose
import Foundation
import Kinema
import KinemaCore
import KinemaMedia
import KinemaSynth
import KinemaTestSupport
import KinemaToss
import Testing

@testable import KinemaHTTP
@testable import KinemaStudio

/// The same clip as an upload, as a live input and as a file read by the library gives the same events.
///
/// The live input is played in its own time like any other, but its channel is bounded, so that a slow machine delays
/// frames and drops none. The library follows frame after frame as a stream is followed; the command reads a file one
/// frame ahead where that is faster, and its poses then lie up to 0.1 % of a person's height elsewhere.
@Suite(.tags(.realTime), .timeLimit(.minutes(5))) struct SameEventsTests {
    private static let hand = SharedData.file("hands/asl/no.mkv")

    private static func bodies() -> PosePipeline {
        PosePipeline(options: BodyPoseOptions(precision: .counting), mode: .exact)
    }

    /// The events of a clip by the three ways; `more` are members of `start`.
    private func events(
        of clip: URL, mode: String, _ more: String = "", classifier: ClassifierLibrary.Classifier? = nil,
        library analysis: some Analysis
    ) async throws -> (upload: [String], live: [String], library: [String]) {
        let folder = try TemporaryFolder()
        let upload = try StudioUpload(of: clip, name: "clip", in: folder)
        var configuration = LiveConfiguration()
        configuration.upload = { _ in upload }
        configuration.uploadWorkers = 1
        configuration.inputs = [.init(name: "clip", argument: clip.path)]
        configuration.classifiers = classifier.map { [$0] } ?? []
        func session(_ source: String) async throws -> [String] {
            let client = LiveClient(LiveService(configuration, policy: .bounded(1)))
            client.socket.say(#"{"type":"start","mode":"\#(mode)","source":\#(source)\#(more)}"#)
            let ended = try #require(await client.next("ended"))
            #expect(ended["reason"] as? String == "finished" && ended["dropped"] as? Int == 0, "\(ended)")
            await client.leave()
            return try client.heard.compactMap { message in
                guard ["repetition", "pinch", "throw", "segment"].contains(message["type"] as? String ?? "") else {
                    return nil
                }
                return try Self.text(message.filter { $0.key != "type" })
            }
        }
        var analysis = analysis
        var found: [AnalysisEvent] = []
        for try await element in analysis.pipeline(try await VideoReader.read(contentsOf: clip)) {
            found += try analysis.take(element.feature)
        }
        found += analysis.finish()
        return (
            try await session(#"{"kind":"upload","id":"1"}"#), try await session(#"{"kind":"input","name":"clip"}"#),
            try found.map { try Self.text(try JSONSerialization.jsonObject(with: $0.json())) }
        )
    }

    private static func text(_ object: Any) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object, options: .sortedKeys), as: UTF8.self)
    }

    private func expectSame(_ events: (upload: [String], live: [String], library: [String]), atLeast least: Int) {
        #expect(events.library.count >= least)
        #expect(events.upload == events.library)
        #expect(events.live == events.library)
    }

    /// Quick to find poses in; what is played live takes its time whatever it is like.
    private static let settings = SynthScene.Settings(width: 480, height: 360, frameRate: FrameRate(timescale: 15))

    private func rendered(_ scene: SynthScene) throws -> (URL, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let url = folder.file("clip.mp4")
        try RenderedVideo.write(scene, to: url)
        return (url, folder)
    }

    /// What is expected of a live input differs from what is expected of a file, and with it how sure each repetition is.
    @Test func `counting gives the same repetitions of an upload, a live input and a file`() async throws {
        let (clip, folder) = try rendered(
            .exercise(
                .squat, repetitions: 3, seed: 3, view: .front, secondsPerRepetition: 1.6, settings: Self.settings))
        var configuration = CountAnalysis.Configuration()
        configuration.pipeline = Self.bodies()
        let events = try await events(of: clip, mode: "count", library: CountAnalysis(configuration))
        #expect(events.library.count >= 3 && events.upload == events.library)
        #expect(events.live.count == events.library.count)
        withExtendedLifetime(folder) {}
    }

    @Test func `coaching gives the same events of an upload, a live input and a file`() async throws {
        let (clip, folder) = try rendered(
            .coached(.squat, fault: .shallow, seed: 5, repetitions: 3, view: .side, settings: Self.settings))
        var configuration = CoachAnalysis.Configuration()
        configuration.pipeline = Self.bodies()
        configuration.exercise = ExerciseLibrary.exercise(named: "squat")
        let events = try await events(
            of: clip, mode: "coach", #","exercise":"squat""#, library: CoachAnalysis(configuration))
        expectSame(events, atLeast: 3)
        #expect(events.library.contains { $0.contains(#""code":"shallow""#) })
        withExtendedLifetime(folder) {}
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: SameEventsTests.hand.path)))
    func `drawing gives the same events of an upload, a live input and a file`() async throws {
        var configuration = DrawAnalysis.Configuration()
        configuration.pipeline = .handsOnly(HandPoseOptions(precision: .counting), smooths: false)
        configuration.pipeline.mode = .exact
        let events = try await events(of: Self.hand, mode: "draw", library: DrawAnalysis(configuration))
        expectSame(events, atLeast: 1)
    }

    @Test func `a game of toss gives the same events of an upload, a live input and a file`() async throws {
        let (clip, folder) = try rendered(.toss(seed: 2, throwCount: 1))
        let events = try await events(
            of: clip, mode: "toss",
            library: TossAnalysis(TossAnalysis.Configuration(pipeline: Self.bodies())))
        expectSame(events, atLeast: 1)
        withExtendedLifetime(folder) {}
    }

    @Test func `classifying gives the same events of an upload, a live input and a file`() async throws {
        let (clip, folder) = try rendered(
            .exercise(
                .jumpingJack, repetitions: 4, seed: 2, view: .front, secondsPerRepetition: 1, settings: Self.settings))
        let model = try ClassifyModeTests.model()
        var configuration = ClassifyAnalysis.Configuration(classifier: model)
        configuration.pipeline = Self.bodies()
        configuration.pause = ClassifyMode.pause
        let events = try await events(
            of: clip, mode: "classify", #","classifier":"own""#,
            classifier: .init(id: "own", name: "own", model: model), library: ClassifyAnalysis(configuration))
        expectSame(events, atLeast: 1)
        withExtendedLifetime(folder) {}
    }
}
