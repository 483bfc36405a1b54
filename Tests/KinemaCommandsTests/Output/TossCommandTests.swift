import Foundation
import KinemaTestSupport
import Testing

@testable import KinemaSynth

extension CommandTests {
    /// `kinema toss` on a rendered game and on real boards seen from above.
    @Suite struct TossCommandTests {
        private struct Game: Decodable {
            struct Throw: Decodable {
                var type: String
                var speed_mph: Double
                var speed_mps: Double
                var angle: Double
                var type_confidence: Double
                var distance_ft: Double
                var score: Int
                var landing: String
                var start: Double
                var end: Double
            }
            struct Line: Decodable {
                var ends: [[Double]]
            }

            var flights: [Throw]
            var total: Int
            var line: Line
            var average_speed_mph: Double
            var average_angle: Double
            var average_distance_ft: Double
            var top_speed_mph: Double

            enum CodingKeys: String, CodingKey {
                case flights = "throws"
                case total, line, average_speed_mph, average_angle, average_distance_ft, top_speed_mph
            }
        }

        private struct Arrivals: Decodable {
            struct Arrival: Decodable {
                var time: Double
                var landing: String
            }
            var arrivals: [Arrival]
        }

        @Test func `a rendered game is scored`() async throws {
            let scene = SynthScene.toss(seed: 29)
            let truth = try #require(scene.tossTruth)
            let (clip, folder) = (try Clips.write(scene, "toss"), try TemporaryFolder())
            let (overlay, plot) = (folder.file("overlay.mp4"), folder.file("paths.svg"))
            let run = try await Program.run(
                "toss", clip.path, "--format", "json", "--overlay", overlay.path, "--plot", plot.path)
            #expect(run.status == 0 && !run.complaint.contains("camera moves"), "\(run.complaint)")
            let game = try JSONDecoder().decode(Game.self, from: Data(run.text.utf8))
            #expect(game.flights.map(\.type) == truth.flights.map { "\($0.type)" })
            #expect(game.flights.map(\.landing) == truth.flights.map { "\($0.landing)" })
            #expect(game.total == truth.flights.reduce(0) { $0 + $1.score })
            for (seen, real) in zip(game.flights, truth.flights) {
                #expect(abs(seen.speed_mps / real.speed - 1) < 0.05 && abs(seen.angle - real.angle) < 5)
                #expect(abs(seen.speed_mph / seen.speed_mps - 2.23694) < 0.01)
                #expect(abs(seen.distance_ft * 0.3048 / real.distance - 1) < 0.05 && seen.type_confidence > 0.5)
                #expect(abs(seen.start - real.start) < 0.1 && abs(seen.end - real.end) < 0.1)
            }
            let count = Double(truth.flights.count)
            #expect(abs(game.top_speed_mph / (truth.flights.map(\.speed).max() ?? 0) / 2.23694 - 1) < 0.05)
            #expect(abs(game.average_angle - truth.flights.reduce(0) { $0 + $1.angle } / count) < 3)
            #expect(
                abs(game.average_distance_ft * 0.3048 / truth.flights.reduce(0) { $0 + $1.distance } * count - 1) < 0.05
            )
            #expect(game.line.ends.count == 2)
            #expect(try await Clips.frames(of: overlay).count == scene.frameCount)
            #expect(try String(contentsOf: plot, encoding: .utf8).contains("<svg"))
        }

        @Test func `a game whose people are found in parts is scored from its pictures`() async throws {
            let scene = SynthScene.toss(seed: 29)
            let truth = try #require(scene.tossTruth)
            let clip = try Clips.write(scene, "toss-parts")
            let run = try await Program.run(
                "toss", clip.path, "--format", "json", "--jobs", "2", "--part-length", "4")
            let game = try JSONDecoder().decode(Game.self, from: Data(run.text.utf8))
            #expect(game.flights.map(\.type) == truth.flights.map { "\($0.type)" })
            #expect(game.total == truth.flights.reduce(0) { $0 + $1.score })
        }

        @Test(
            .enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"),
            arguments: [
                ("cornhole_board_a", [(8.4, "board"), (21.7, "hole")]),
                ("cornhole_board_b", [(1.7, "hole"), (5.7, "hole"), (8.35, "board")]),
            ])
        func `bags that arrive are reported`(name: String, truth: [(Double, String)]) async throws {
            let run = try await Program.run(
                "toss", SharedData.file("throws/\(name).mp4").path, "--view", "board", "--format", "json")
            let seen = try JSONDecoder().decode(Arrivals.self, from: Data(run.text.utf8)).arrivals
            #expect(seen.map(\.landing) == truth.map(\.1))
            for (arrival, real) in zip(seen, truth) { #expect(abs(arrival.time - real.0) < 0.5) }
        }

        @Test(
            .enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"),
            arguments: ["cornhole_board_b"])
        func `a board seen from above is reported unasked`(name: String) async throws {
            let folder = try TemporaryFolder()
            let clip = folder.file("start.mp4")
            try Tool.ffmpeg("-i \(SharedData.file("throws/\(name).mp4").path) -t 4", clip)
            let run = try await Program.run("toss", clip.path)
            #expect(run.status == 2 && run.complaint.contains("--view board"), "\(run.status) \(run.complaint)")
        }

        @Test func `a camera that moves is told to rest, wherever the board is said to be`() async throws {
            var scene = SynthScene.toss(seed: 39, throwCount: 2)
            scene.shots[0].camera.shake = 0.04
            let (whole, folder) = (try Clips.write(scene, "toss-shaken"), try TemporaryFolder())
            let clip = folder.file("start.mp4").path
            try Tool.ffmpeg("-i \(whole.path) -t 4", folder.file("start.mp4"))
            for board in [[], ["--board", "0.6,0.1,0.3,0.3"]] {
                let run = try await Program().run(["toss", clip] + board)
                #expect(run.complaint.contains("the camera moves"), "\(run.complaint)")
                #expect(!run.complaint.contains("--board"), "\(run.complaint)")
            }
        }

        @Test func `what cannot be a game is refused in one line`() async throws {
            #expect(try await Program.run("toss", "absent.mp4").status == 65)
            #expect(try await Program.run("toss", "a.mp4", "--board", "1,2").status == 64)
            let run = try await Program.run("toss", try Clips.squat.get().path)
            #expect(run.status == 2 && run.complaint.contains("no board was found"), "\(run.status) \(run.complaint)")
        }
    }
}
