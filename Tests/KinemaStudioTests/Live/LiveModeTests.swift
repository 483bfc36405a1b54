import Foundation
import KinemaSynth
import KinemaTestSupport
import Testing

@testable import KinemaStudio

struct LiveModeTests {
    @Test func countModeCountsWhatWasRendered() async throws {
        let scene = SynthScene.exercise(.squat, repetitions: 4, seed: 3, view: .front, secondsPerRepetition: 1.6)
        let clip = try RenderedClip(scene)
        let kept = KeptSessions()
        var configuration = LiveConfiguration()
        configuration.history = { kept.add($0) }
        let client = LiveClient(LiveService(configuration))
        client.start("count")
        await clip.show(to: client)
        let ended = await client.stop()
        #expect(ended?["analysed"] as? Int == clip.pictures.count)
        #expect(client.all("repetition").count == scene.count)
        let last = try #require(client.all("result").last)
        let count = try #require(last["count"] as? [String: Any])
        #expect(count["total"] as? Int == scene.count)
        #expect(last["width"] as? Int == 640)
        let people = try #require(last["people"] as? [[String: Any]])
        #expect(people.count == 1)
        #expect((people.first?["keypoints"] as? [String: [Double]])?["leftKnee"]?.count == 3)
        #expect(client.all("state").contains { $0["state"] as? String == "live" })
        // The history has what the client was told.
        #expect(ended?["kept"] as? Bool == true)
        let session = try #require(kept.all.first)
        #expect(session.count == scene.count)
        #expect(session.repetitions.count == scene.count)
        #expect(session.source == "test")
        await client.leave()
    }

    @Test func `the strip of an exercise not recognised yet shows movement`() async throws {
        let scene = SynthScene.exercise(.squat, repetitions: 1, seed: 3, view: .front, secondsPerRepetition: 2)
        let clip = try RenderedClip(scene)
        let client = LiveClient(LiveService())
        client.start("coach", #","exercise":"auto""#)
        await clip.show(to: client)
        let told = client.all("result").compactMap { $0["coach"] as? [String: Any] }
        let early = told.filter { $0["exercise"] is NSNull }.compactMap { $0["signal"] as? Double }
        #expect(early.count > 30)
        #expect((early.max() ?? 0) - (early.min() ?? 0) > 0.3)
        _ = await client.stop()
        await client.leave()
    }

    @Test func coachModeTellsTheFaultsOfAFaultySquat() async throws {
        let scene = SynthScene.coached(.squat, fault: .shallow, seed: 5, repetitions: 5, view: .side)
        let clip = try RenderedClip(scene)
        let client = LiveClient(LiveService())
        client.start("coach", #","exercise":"squat""#)
        await clip.show(to: client)
        let ended = await client.stop()
        let faults = client.all("repetition").flatMap { $0["faults"] as? [[String: Any]] ?? [] }
        #expect(faults.contains { $0["code"] as? String == "shallow" })
        let cues = client.all("result").flatMap { result -> [[String: Any]] in
            (result["coach"] as? [String: Any])?["cues"] as? [[String: Any]] ?? []
        }
        #expect(cues.contains { $0["title"] as? String == "shallow" })
        let red = client.all("result").flatMap { $0["people"] as? [[String: Any]] ?? [] }
            .flatMap { $0["faults"] as? [String] ?? [] }
        #expect(red.contains { $0.hasSuffix("Knee") })
        #expect((ended?["summary"] as? [String: Any])?["exercise"] as? String == "squat")
        await client.leave()
    }
}
