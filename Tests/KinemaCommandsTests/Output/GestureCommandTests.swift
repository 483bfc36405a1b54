import Foundation
import KinemaTestSupport
import Testing

extension CommandTests {
    /// `kinema gesture` and `kinema pose --hands` on a signer whose sign is three pinches.
    @Suite(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
    struct GestureCommandTests {
        private let clip = SharedData.file("hands/asl/no.mkv").path

        @Test func `three pinches are found and drawn`() async throws {
            let folder = try TemporaryFolder()
            let (svg, png) = (folder.file("d.svg"), folder.file("d.png"))
            let run = try await Program.run("gesture", clip, "--format", "json", "--drawing", svg.path)
            let found = try Contract.decode(Contract.Gestures.self, from: run.text)
            #expect(run.status == 0 && found.frames == 66)
            #expect(found.pinches.count == 3 && found.strokes.count == 3)
            for (pinch, frame) in zip(found.pinches, [28.0, 37, 46]) {
                #expect(abs(pinch.start * 30 - frame) <= 2.01 && pinch.end > pinch.start && pinch.hand == "right")
            }
            #expect(
                found.strokes.flatMap(\.points).allSatisfy {
                    (0.2...0.5).contains($0[0]) && (0.5...0.9).contains($0[1])
                })
            #expect(try String(contentsOf: svg, encoding: .utf8).hasPrefix("<?xml"))
            #expect(try await Program.run("gesture", clip, "--drawing", png.path).status == 0)
            #expect(try Data(contentsOf: png).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        }

        @Test func `the table has a row a pinch and the lines every frame`() async throws {
            let table = try await Program.run("gesture", clip, "--format", "csv")
            #expect(table.lines.first == "pinch,id,hand,start,end" && table.lines.count == 4)
            let lines = try await Program.run("gesture", clip, "--format", "jsonl").lines
            #expect(lines.count == 67)
            #expect(lines.filter { $0.contains("\"state\":\"pinched\"") }.count >= 5)
            let last = try Contract.decode(Contract.Gestures.self, from: try #require(lines.last))
            #expect(last.pinches.count == 3)
        }

        @Test func `hands belong to their person`() async throws {
            let lines = try await Program.run("pose", clip, "--hands", "--format", "jsonl").lines
            let frames = try lines.map { try Contract.decode(Contract.Frame.self, from: $0) }
            let hands = frames[30..<45].flatMap(\.hands)
            #expect(hands.count >= 25)
            #expect(hands.allSatisfy { $0.keypoints.count == 21 && $0.keypoints3D.count == 21 && $0.box.count == 4 })
            #expect(hands.filter { $0.person == 1 }.count >= hands.count * 9 / 10)
            #expect(Set(hands.compactMap(\.chirality)) == ["left", "right"])
        }

        @Test func `without hands the exit code says so`() async throws {
            let run = try await Program.run("gesture", try Clips.nobody.get().path)
            #expect(run.status == 2)
            #expect(run.complaint.contains("no hand was found"))
        }

        @Test func `options that make no sense are refused`() async throws {
            for arguments in [
                ["--drawing", "d.txt"], ["--view", "390x844"], ["--rule", "sample", "--view", "390"],
                ["--max-hands", "0"], ["--rule", "loose"],
            ] {
                #expect(try await Program().run(["gesture", clip] + arguments).status == 64, "\(arguments)")
            }
            #expect(try await Program.run("pose", clip, "--no-bodies").status == 64)
            #expect(try await Program.run("gesture", "absent.mp4").status == 65)
        }
    }
}
