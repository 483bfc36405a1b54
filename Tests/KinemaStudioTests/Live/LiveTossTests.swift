import Foundation
import KinemaSynth
import KinemaTestSupport
import Testing

@testable import KinemaStudio

struct LiveTossTests {
    @Test func aRenderedGameIsFollowedFromTheBoardToTheThrow() async throws {
        let scene = SynthScene.toss(seed: 2, throwCount: 1)
        let clip = try RenderedClip(scene)
        let client = LiveClient(LiveService())
        client.start("toss")
        await clip.show(to: client)
        let ended = await client.stop()
        let states = client.all("state").compactMap { $0["state"] as? String }
        #expect(states.starts(with: ["finding-board", "calibrating", "playing"]))
        let throwMessage = try #require(client.all("throw").first?["throw"] as? [String: Any])
        #expect((throwMessage["speed_mps"] as? Double ?? 0) > 2)
        let toss = try #require(client.all("result").last?["toss"] as? [String: Any])
        #expect((toss["board"] as? [[Double]])?.count == 4)
        #expect(toss["throws"] as? Int == 1)
        let summary = try #require(ended?["summary"] as? [String: Any])
        #expect((summary["throws"] as? [[String: Any]])?.count == 1)
        await client.leave()
    }
}
