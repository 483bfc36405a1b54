import Foundation
import KinemaSynth
import KinemaTestSupport
import Testing

extension CommandTests {
    /// `kinema synth`.
    struct SynthCommandTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private func render(_ name: String, seed: String) async throws -> (video: Data, truth: Data) {
            let run = try await Program.run(
                "synth", "--scene", "bicepsCurl", "--repetitions", "1", "--seed", seed, "-o", folder.file(name).path)
            try #require(run.status == 0, "\(run.complaint)")
            let truth = folder.file(name).deletingPathExtension().appendingPathExtension("json")
            return (try Data(contentsOf: folder.file(name)), try Data(contentsOf: truth))
        }

        @Test func `the same seed gives the same bytes`() async throws {
            let first = try await render("a.mp4", seed: "7")
            let again = try await render("b.mp4", seed: "7")
            let other = try await render("c.mp4", seed: "8")
            #expect(first.video == again.video && first.truth == again.truth)
            #expect(first.video != other.video && first.truth != other.truth)
            // Also on a machine with another number of processors: what x264 notes of itself says how many it used.
            #expect(first.video.range(of: Data(" threads=1 ".utf8)) != nil)
            let truth = try JSONDecoder().decode(Truth.self, from: first.truth)
            #expect(truth.count == 1 && truth.people[0].exercises == ["bicepsCurl"])
        }

        @Test func `the truth can be had without the video`() async throws {
            let video = try await render("a.mp4", seed: "7")
            let file = folder.file("only/truth.json")
            let words = ["synth", "--scene", "bicepsCurl", "--repetitions", "1", "--seed", "7", "--truth"]
            let nowhere = try await Program().run(words + [file.path])
            #expect(nowhere.status == 1 && nowhere.complaints.count == 1, "\(nowhere.complaint)")
            let run = try await Program().run(words + [folder.file("truth.json").path])
            #expect(run.status == 0 && run.text.contains("1 repetition"), "\(run.complaint)")
            #expect(try Data(contentsOf: folder.file("truth.json")) == video.truth)
            let none = try await Program.run("synth", "--scene", "idle")
            #expect(none.status == 64 && none.complaint.contains("--output"), "\(none.complaint)")
        }

        @Test(arguments: ["=", ",=,,", "lean=", "=10", "side,lean=x"])
        func `an alteration that says nothing is refused`(alter: String) async throws {
            let run = try await Program.run(
                "synth", "--scene", "squat", "--alter", alter, "-o", folder.file("x.mp4").path)
            #expect(run.status == 64 && run.complaint.contains("is unknown"), "\(run.complaint)")
        }

        @Test func `the truth cannot replace the video`() async throws {
            let run = try await Program.run("synth", "--scene", "idle", "-o", folder.file("x.json").path)
            #expect(run.status == 64 && run.complaints.count == 1, "\(run.complaint)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("x.json").path))
        }
    }
}
