import Foundation
import KinemaTestSupport
import Testing

@testable import KinemaSynth

extension CommandTests {
    /// `kinema coach` and `kinema exercises` on rendered people.
    struct CoachCommandTests {
        struct Coached: Decodable {
            struct Tempo: Decodable { var eccentric, pause, concentric: Double }
            struct Fault: Decodable {
                var code, phase, unit: String
                var joint: String?
                var measured, expected, tolerance: Double
            }
            struct Repetition: Decodable {
                var start, end, depth: Double
                var tempo: Tempo
                var faults: [Fault]
            }
            var source: String
            var exercise: String?
            var count: Int
            var repetitions: [Repetition]
        }

        private static let settings = SynthScene.Settings(
            width: 480, height: 360, frameRate: FrameRate(timescale: 15))
        private static let shallow = Result {
            try Clips.write(
                SynthScene.coached(
                    .squat, fault: .shallow, seed: 3, repetitions: 4, view: .threeQuarter, settings: settings),
                "shallow")
        }
        private static let truth = SynthScene.coached(
            .squat, fault: .shallow, seed: 3, repetitions: 4, view: .threeQuarter, settings: settings
        ).truth().people[0].repetitions

        @Test(arguments: ["squat", "auto"]) func findsTheFaultsOfARenderedSquat(_ name: String) async throws {
            let clip = try Self.shallow.get()
            let run = try await Program.run("coach", clip.path, "--exercise", name, "--format", "json")
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            let found = try Contract.decode(Coached.self, from: run.text)
            #expect(found.exercise == "squat" && found.count == 4 && found.repetitions.count == 4)
            for (one, real) in zip(found.repetitions, Self.truth) {
                #expect(min(one.end, real.end) - max(one.start, real.start) > 0.5 * (real.end - real.start))
                #expect(one.faults.contains { $0.code == "shallow" } == real.faults.contains("shallow"))
            }
        }

        @Test func `a tempo is told without a joint`() async throws {
            let scene = SynthScene.coached(
                .squat, fault: .tooFast, seed: 3, repetitions: 3, view: .threeQuarter, settings: Self.settings)
            let clip = try Clips.write(scene, "too-fast")
            let json = try await Program.run("coach", clip.path, "--exercise", "squat", "--format", "json")
            let faults = try Contract.decode(Coached.self, from: json.text).repetitions.flatMap(\.faults)
            let hasty = faults.filter { $0.code == "too_fast" }
            #expect(!hasty.isEmpty && hasty.allSatisfy { $0.joint == nil && $0.unit == "seconds" })
            #expect(json.text.contains("\"joint\":null"))
            let text = try await Program.run("coach", clip.path, "--exercise", "squat").text
            let lines = text.split(separator: "\n").filter { $0.contains("too fast") }
            #expect(
                !lines.isEmpty && lines.allSatisfy { $0.contains(/too fast: \d\.\d\d seconds, expected/) }, "\(text)")
        }

        @Test func writesLinesTablesAndPictures() async throws {
            let clip = try Self.shallow.get()
            let folder = try TemporaryFolder()
            let (film, chart) = (folder.file("o.mp4"), folder.file("p.svg"))
            let run = try await Program.run(
                "coach", clip.path, "--format", "jsonl", "--overlay", film.path, "--plot", chart.path)
            #expect(run.status == 0 && run.lines.count == 5)
            #expect(try await Clips.frames(of: film).count == Clips.frames(of: clip).count)
            #expect(try String(contentsOf: chart, encoding: .utf8).contains("<svg"))
            let table = try await Program.run("coach", clip.path, "--format", "csv")
            #expect(table.lines.count == 5 && table.lines[0].hasPrefix("id,exercise,repetition,start,end,depth"))
        }

        @Test func anUnknownExerciseIsToldWithTheNames() async throws {
            let run = try await Program.run("coach", "nothing.mp4", "--exercise", "yodel")
            #expect(run.status == 64 && run.text.isEmpty)
            #expect(run.complaint.contains("there is no exercise yodel") && run.complaint.contains("push_up"))
        }

        @Test func nothingToRecogniseIsToldByTheExitCode() async throws {
            let clip = try Clips.write(
                .activity(.idle, seconds: 2, seed: 3, settings: Self.settings), "idle-coach")
            let run = try await Program.run("coach", clip.path, "--format", "json")
            #expect(run.status == 2 && run.complaints.count == 1)
        }

        @Test(arguments: ["text", "json", "jsonl", "csv"]) func listsTheExercises(_ format: String) async throws {
            let run = try await Program.run("exercises", "--format", format)
            #expect(run.status == 0 && run.complaint.isEmpty)
            for name in ["squat", "push_up", "plank", "bicep_curl"] { #expect(run.text.contains(name)) }
        }
    }
}
