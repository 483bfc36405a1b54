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
            #expect(table.lines.first == "pinch,id,hand,start,end,unseen" && table.lines.count == 4)
            let lines = try await Program.run("gesture", clip, "--format", "jsonl").lines
            #expect(lines.count == 67)
            #expect(lines.filter { $0.contains("\"state\":\"pinched\"") }.count >= 5)
            let last = try Contract.decode(Contract.Gestures.self, from: try #require(lines.last))
            #expect(last.pinches.count == 3)
        }

        private static let webcams = [
            ("tap_webcam_fast.mp4", 16...18), ("volume_portrait.mp4", 5...5), ("neg_counting_fingers.mp4", 0...0),
        ]

        @Test(arguments: Sweep.of(webcams, or: Array(webcams[1...])))
        func `pinches before webcams are found and counting fingers is none`(
            file: String, count: ClosedRange<Int>
        ) async throws {
            let film = SharedData.file("hands/pinches/" + file)
            let folder = try TemporaryFolder()
            let start = folder.file(file)
            // Of what shows no pinch a part will do.
            let isPart = !Sweep.isFull && count == 0...0
            if isPart { try Tool.ffmpeg("-i \(film.path) -t 6 -c copy", start) }
            let path = (isPart ? start : film).path
            let run = try await Program.run("gesture", path, "--format", "json", "--precision", "f32")
            #expect(count.contains(try Contract.decode(Contract.Gestures.self, from: run.text).pinches.count))
        }

        @Test func `every frame of every hand is explained`() async throws {
            struct Line: Decodable {
                var frame: Int, id: Int
                var gap: Double, reach: Double, opening: Double, depth: Double, score: Double, average: Double
                var state: String
                var refused: String?
            }
            let folder = try TemporaryFolder()
            let file = folder.file("why.jsonl")
            #expect(try await Program.run("gesture", clip, "--explain", file.path).status == 0)
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
            #expect(Set(lines.map(\.frame)).count == 66)
            let closed = lines.filter { (28...31).contains($0.frame) && $0.state == "pinched" }
            #expect(closed.count >= 3 && closed.allSatisfy { $0.gap < 0.35 && $0.reach > 0.6 && $0.refused == nil })
            // The other hand rests with its tips near each other.
            let refused = lines.filter { $0.refused != nil }
            #expect(refused.count > 30 && refused.allSatisfy { $0.state == "apart" || $0.state == "possiblePinch" })
            #expect(refused.contains { $0.refused == "tips at the palm" })
        }

        @Test func `labelled pinches are compared with those found`() async throws {
            let folder = try TemporaryFolder()
            let labels = folder.file("labels.csv")
            try Data("file,closed,apart\nno.mkv,0.933,1.067\nno.mkv,0.4,0.5\nbook.mkv,,\n".utf8).write(to: labels)
            let run = try await Program.run(
                "evaluate", "gesture", labels.path, "--folder", SharedData.file("hands/asl").path)
            #expect(run.status == 0)
            #expect(run.lines.first?.hasPrefix("no.mkv") == true)
            #expect(run.lines.first?.hasSuffix("3 found of 2, 1 in time, F1 0.400") == true)
            #expect(run.lines.contains { $0.hasPrefix("  missed 0.40 s: ") })
            #expect(run.lines.filter { $0.hasPrefix("  false ") }.count == 2)
            #expect(
                run.lines.last
                    == "2 clips: 3 found of 2, 1 within 0.10 s, F1 0.400; within one on 2 clips; 0 on 1 clip without pinches"
            )
            try Data("file,start\nno.mkv,1\n".utf8).write(to: labels)
            let wrong = try await Program.run("evaluate", "gesture", labels.path)
            #expect(wrong.status == 65 && wrong.complaint.contains("has no column closed"))
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
                ["--max-hands", "0"], ["--rule", "loose"], ["--explain", "why.txt"],
                ["--rule", "strict", "--explain", "why.jsonl"],
            ] {
                #expect(try await Program().run(["gesture", clip] + arguments).status == 64, "\(arguments)")
            }
            #expect(try await Program.run("pose", clip, "--no-bodies").status == 64)
            #expect(try await Program.run("gesture", "absent.mp4").status == 65)
        }
    }
}
