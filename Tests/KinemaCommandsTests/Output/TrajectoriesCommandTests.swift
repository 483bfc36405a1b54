import Foundation
import KinemaTestSupport
import Testing

@testable import KinemaSynth

extension CommandTests {
    /// `kinema trajectories` on rendered throws and on real ones.
    @Suite struct TrajectoriesCommandTests {
        private struct Report: Decodable {
            struct Trajectory: Decodable {
                var id: String
                var start: Double
                var end: Double
                var coefficients: [Double]
                var confidence: Double
                var detectedPoints: [[Double]]
                var projectedPoints: [[Double]]
                var times: [Double]
                var radius: Double
            }
            var frames: Int
            var trajectories: [Trajectory]
        }

        private static let scene = SynthScene.throwing(seed: 11, size: (640, 360))
        private static let clip = Result { try Clips.write(scene, "throws") }

        private func report(_ text: String) throws -> Report {
            try JSONDecoder().decode(Report.self, from: Data(text.utf8))
        }

        @Test func `rendered throws are reported with their parabola`() async throws {
            let clip = try Self.clip.get()
            let run = try await Program.run("trajectories", clip.path, "--format", "json")
            let found = try report(run.text)
            #expect(run.status == 0 && found.frames == Self.scene.frameCount)
            for truth in Self.scene.flightTruth() where truth.end - truth.start > 0.45 {
                let match = found.trajectories.first { $0.start < truth.end - 0.2 && $0.end > truth.start + 0.2 }
                let flight = try #require(match)
                let (x, c) = (truth.points[truth.points.count / 2][0], flight.coefficients)
                let height = c[0] * x * x + c[1] * x + c[2]
                #expect(abs(height - truth.points[truth.points.count / 2][1]) * 360 < 4)
                #expect(flight.detectedPoints.count == flight.times.count)
                #expect(flight.projectedPoints.count == flight.times.count)
            }
        }

        @Test func `the overlay and the table are written`() async throws {
            let (clip, folder) = (try Self.clip.get(), try TemporaryFolder())
            let overlay = folder.file("o.mp4")
            let run = try await Program.run("trajectories", clip.path, "--overlay", overlay.path, "--format", "csv")
            #expect(run.status == 0)
            #expect(run.lines.first == "trajectory,id,start,end,a,b,c,confidence,radius,points,unseen")
            #expect(try await Clips.frames(of: overlay).count == Self.scene.frameCount)
            let lines = try await Program.run("trajectories", clip.path, "--format", "jsonl").lines
            #expect(lines.count == run.lines.count - 1)
        }

        private struct Line: Decodable {
            struct Quantity: Decodable {
                var value: Double, term: Double, weight: Double
            }
            var start: Double, end: Double
            var isReported: Bool
            var verdict: String
            var confidence: Double
            var points: [[Double]]
            var quantities: [String: Quantity]
        }

        @Test func `an explanation says of everything followed why it was reported or not`() async throws {
            let (clip, folder) = (try Self.clip.get(), try TemporaryFolder())
            let file = folder.file("why.jsonl")
            let run = try await Program.run("trajectories", clip.path, "--explain", file.path, "--format", "json")
            #expect(run.status == 0)
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            let reported = lines.filter(\.isReported)
            #expect(reported.count == (try report(run.text)).trajectories.count)
            #expect(reported.allSatisfy { $0.verdict.hasPrefix("reported") && $0.confidence >= 0.9 })
            let refused = lines.filter { !$0.isReported }
            #expect(!refused.isEmpty && refused.allSatisfy { $0.verdict.hasPrefix("refused: ") && $0.confidence < 0.9 })
            #expect(lines.allSatisfy { $0.points.count >= 5 && $0.quantities["isolation"] != nil })
            // What was refused lacks something that a flight has.
            #expect(refused.allSatisfy { $0.quantities.values.contains { $0.weight < -0.5 } })
            #expect(try await Program.run("trajectories", clip.path, "--explain", "why.txt").status == 64)
        }

        @Test func `a recording with repeated frames has the flights of the one it was made from`() async throws {
            let folder = try TemporaryFolder()
            let converted = folder.file("converted.mp4")
            try Tool.ffmpeg("-i \(try Self.clip.get().path) -vf fps=37.5", converted)
            let plain = try report(
                try await Program.run("trajectories", try Self.clip.get().path, "--format", "json").text)
            let found = try report(try await Program.run("trajectories", converted.path, "--format", "json").text)
            #expect(found.trajectories.count == plain.trajectories.count)
            for (one, other) in zip(found.trajectories, plain.trajectories) {
                #expect(abs(one.start - other.start) < 0.15 && abs(one.end - other.end) < 0.15)
                #expect(abs(one.coefficients[0] / other.coefficients[0] - 1) < 0.05)
            }
        }

        @Test func `where nothing flies the exit code says so`() async throws {
            let run = try await Program.run("trajectories", try Clips.squat.get().path)
            #expect(run.status == 2)
            #expect(run.complaint.contains("no flight was found"))
            #expect(try await Program.run("trajectories", "absent.mp4").status == 65)
            #expect(try await Program.run("trajectories", "a.mp4", "--confidence", "2").status == 64)
            #expect(
                try await Program.run("trajectories", "a.mp4", "--minimum-radius", "0.5", "--maximum-radius", "0.1")
                    .status == 64)
        }

        @Test(
            .enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"),
            arguments: [("freethrow_yard", 852.0, 480.0), ("ball_throw_gym", 1920, 1080)])
        func `recorded throws are where they were marked`(name: String, width: Double, height: Double) async throws {
            let run = try await Program.run(
                "trajectories", SharedData.file("throws/\(name).mp4").path, "--format", "json")
            let rows = try String(contentsOf: SharedData.file("throws/\(name).ball.csv"), encoding: .utf8)
                .split(whereSeparator: \.isNewline).dropFirst()
                .map { $0.split(separator: ",").compactMap { Double($0) } }
            let flight = try #require(
                try report(run.text).trajectories.filter { $0.confidence > 0.9 }
                    .max { $0.times.count < $1.times.count })
            var (matched, near) = (0, 0)
            for row in rows {
                guard let index = flight.times.firstIndex(where: { abs($0 - row[1]) < 0.01 }) else { continue }
                matched += 1
                let (point, c) = (flight.detectedPoints[index], flight.coefficients)
                #expect(hypot(point[0] * width - row[2], (1 - point[1]) * height - row[3]) < 8)
                let x = row[2] / width
                // From the curve, not above or below it.
                let slope = (2 * c[0] * x + c[1]) * height / width
                let off = (c[0] * x * x + c[1] * x + c[2]) * height - (height - row[3])
                near += abs(off) / (1 + slope * slope).squareRoot() < 4 ? 1 : 0
            }
            #expect(matched >= rows.count * 3 / 4)
            // Where the ball leaves the hand it is not yet in free flight.
            #expect(Double(near) >= 0.9 * Double(matched))
        }

        @Test(
            .enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"),
            arguments: Sweep.of(
                ["neg_walk", "neg_plank_dark", "squat_timer12", "squat_barbell3", "pushup_dumbbell5"],
                or: ["neg_walk", "squat_barbell3"]))
        func `limbs are no flights`(name: String) async throws {
            let run = try await Program.run("trajectories", SharedData.file("repetitions/\(name).mp4").path)
            #expect(run.status == 2, "\(run.text)")
        }
    }
}
