import Foundation
import KinemaCore
import KinemaMedia
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
        /// Its poses, where it does not matter where they come from.
        private static func shallowPoses() async throws -> URL {
            try await PoseFileCommandTests.lines(of: shallow.get())
        }
        private static let truth = SynthScene.coached(
            .squat, fault: .shallow, seed: 3, repetitions: 4, view: .threeQuarter, settings: settings
        ).truth().people[0].repetitions

        @Test(arguments: ["squat", "auto"]) func `finds the faults of a rendered squat`(_ name: String) async throws {
            let clip = name == "auto" ? try await Self.shallowPoses() : try Self.shallow.get()
            let run = try await Program.run("coach", clip.path, "--exercise", name, "--format", "json")
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            let found = try Contract.decode(Coached.self, from: run.text)
            #expect(found.exercise == "squat" && found.count == 4 && found.repetitions.count == 4)
            for (one, real) in zip(found.repetitions, Self.truth) {
                #expect(min(one.end, real.end) - max(one.start, real.start) > 0.5 * (real.end - real.start))
                #expect(one.faults.contains { $0.code == "shallow" } == real.faults.contains("shallow"))
            }
        }

        @Test func `the library's squat, written out and read back, coaches exactly as by its name`() async throws {
            let (clip, folder) = (try await Self.shallowPoses(), try TemporaryFolder())
            let file = folder.file("mine.json")
            try await Program.run("exercises", "squat", "--format", "json").output.write(to: file)
            let named = try await Program.run("coach", clip.path, "--exercise", "squat", "--format", "json")
            let own = try await Program.run("coach", clip.path, "--exercise", file.path, "--format", "json")
            #expect(own.status == 0 && own.complaint.isEmpty && own.text == named.text, "\(own.complaint)\(own.text)")
        }

        @Test func `your own exercise is reported by its title, alone and recognised among several`()
            async throws
        {
            let (clip, folder) = (try Self.shallow.get(), try TemporaryFolder())
            let (one, several) = (folder.file("one.json"), folder.file("several.json"))
            let dip = #"{"name": "dip", "title": "Knee dip", "motion": {"measure": "knee", "rest": 170, "full": 80}}"#
            try Data(dip.utf8).write(to: one)
            let wave = #"{"name": "wave", "motion": {"measure": "arm", "rest": 10, "full": 90}}"#
            try Data("{\"exercises\": [\(wave), \(dip)]}".utf8).write(to: several)
            let poses = try await Self.shallowPoses()
            for file in [one, several] {
                let run = try await Program.run("coach", poses.path, "--exercise", file.path)
                #expect(run.status == 0 && run.text.contains(": Knee dip, 4 repetitions"), "\(run.text)")
            }
            let batch = try await Program.run(
                "batch", clip.path, "-o", folder.file("out").path, "--task", "coach", "--", "--exercise", one.path)
            let result = folder.file("out").appending(path: clip.lastPathComponent + ".json")
            #expect(batch.status == 0, "\(batch.complaint)")
            #expect(try String(contentsOf: result, encoding: .utf8).contains(#""title":"Knee dip""#))
        }

        @Test func `a file of exercises that makes no sense is refused in one line before any video`() async throws {
            let folder = try TemporaryFolder()
            let file = folder.file("bad.json")
            try Data(#"{"name": "dip", "motion": {"measure": "knie", "rest": 1, "full": 2}}"#.utf8).write(to: file)
            let place = "\(file.path): motion.measure: \"knie\" is unknown"
            for words in [
                ["coach", "nothing.mp4", "--exercise", file.path], ["exercises", file.path],
                ["studio", "--port", "0", "--exercises", file.path],
                [
                    "batch", "nothing.mp4", "-o", folder.file("o").path, "--task", "coach", "--", "--exercise",
                    file.path,
                ],
            ] {
                let run = try await Program().run(words)
                #expect(run.status == 65 && run.output.isEmpty, "\(words)")
                #expect(run.complaints.count == 1 && run.complaint.contains(place), "\(run.complaint)")
            }
            let none = try await Program.run("coach", "nothing.mp4", "--exercise", folder.file("none.json").path)
            #expect(none.status == 65 && none.complaint.contains("none.json: no such file"))
        }

        @Test func `with --debug every frame shows the measure and the phase, and rings mark the joints`() async throws
        {
            struct Line: Decodable {
                struct Look: Decodable {
                    struct Person: Decodable {
                        var phase, measure, unit, debugMessage: String
                        var value, confidence, progress: Double?
                    }
                    var frame: Int
                    var people: [Person]
                }
                var debug: Look?
                var repetition: Coached.Repetition?
            }
            let (clip, folder) = (try Self.shallow.get(), try TemporaryFolder())
            let (plain, marked) = (folder.file("plain.mp4"), folder.file("marked.mp4"))
            let run = try await Program.run(
                "coach", clip.path, "--exercise", "squat", "--debug", "--format", "jsonl", "--overlay", marked.path)
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            let lines = try run.lines.map { try Contract.decode(Line.self, from: $0) }
            let looks = lines.compactMap(\.debug)
            let frames = try await Clips.frames(of: clip)
            #expect(looks.map(\.frame) == Array(frames.indices))
            #expect(lines.count { $0.repetition != nil } == 4)
            let people = looks.flatMap(\.people)
            #expect(people.allSatisfy { $0.measure == "knee" && $0.unit == "degrees" })
            let values = people.compactMap(\.value)
            #expect((values.min() ?? 0) < 110 && (values.max() ?? 0) > 160)
            #expect(Set(people.map(\.phase)).isSuperset(of: ["top", "down", "up"]))
            #expect(people.contains { $0.debugMessage.hasPrefix("knee=1") })
            _ = try await Program.run("coach", clip.path, "--exercise", "squat", "--overlay", plain.path)
            let (before, after) = (
                try await Clips.frames(of: plain)[30].bitmap(), try await Clips.frames(of: marked)[30].bitmap()
            )
            // The person stands in the middle, the lines of text at the left.
            let whiter = before.pixels.indices.count { index in
                index % before.bytesPerRow > before.bytesPerRow * 2 / 5 && after.pixels[index] > 200
                    && before.pixels[index] < 150
            }
            #expect(whiter > 100, "\(whiter)")
            let alone = try await Program.run("coach", clip.path, "--debug")
            #expect(alone.status == 64 && alone.complaint.contains("--debug requires --format jsonl or --overlay"))
        }

        @Test func `a tempo is reported without a joint`() async throws {
            let scene = SynthScene.coached(
                .squat, fault: .tooFast, seed: 3, repetitions: 3, view: .threeQuarter, settings: Self.settings)
            let clip = try Clips.write(scene, "too-fast")
            let json = try await Program.run("coach", clip.path, "--exercise", "squat", "--format", "json")
            let faults = try Contract.decode(Coached.self, from: json.text).repetitions.flatMap(\.faults)
            let hasty = faults.filter { $0.code == "too_fast" }
            #expect(!hasty.isEmpty && hasty.allSatisfy { $0.joint == nil && $0.unit == "seconds" })
            #expect(json.text.contains("\"joint\":null"))
            let poses = try await PoseFileCommandTests.lines(of: clip)
            let text = try await Program.run("coach", poses.path, "--exercise", "squat").text
            let lines = text.split(separator: "\n").filter { $0.contains("too fast") }
            #expect(
                !lines.isEmpty && lines.allSatisfy { $0.contains(/too fast: \d\.\d\d seconds, expected/) }, "\(text)")
        }

        @Test func `writes lines tables and pictures`() async throws {
            let clip = try Self.shallow.get()
            let folder = try TemporaryFolder()
            let (film, chart) = (folder.file("o.mp4"), folder.file("p.svg"))
            let run = try await Program.run(
                "coach", clip.path, "--format", "jsonl", "--overlay", film.path, "--plot", chart.path)
            #expect(run.status == 0 && run.lines.count == 5)
            #expect(try await Clips.frames(of: film).count == Clips.frames(of: clip).count)
            #expect(try String(contentsOf: chart, encoding: .utf8).contains("<svg"))
            let table = try await Program.run("coach", Self.shallowPoses().path, "--format", "csv")
            #expect(table.lines.count == 5 && table.lines[0].hasPrefix("id,exercise,repetition,start,end,depth"))
        }

        @Test func `an unknown exercise is reported with the names`() async throws {
            let run = try await Program.run("coach", "nothing.mp4", "--exercise", "yodel")
            #expect(run.status == 64 && run.text.isEmpty)
            #expect(run.complaint.contains("unknown exercise yodel") && run.complaint.contains("push_up"))
        }

        @Test func `nothing to recognise is reported by the exit code`() async throws {
            let clip = try Clips.write(
                .activity(.idle, seconds: 2, seed: 3, settings: Self.settings), "idle-coach")
            let run = try await Program.run("coach", clip.path, "--format", "json")
            #expect(run.status == 2 && run.complaints.count == 1)
        }

        @Test(arguments: ["text", "json", "jsonl", "csv"]) func `lists the exercises`(_ format: String) async throws {
            let run = try await Program.run("exercises", "--format", format)
            #expect(run.status == 0 && run.complaint.isEmpty)
            for name in ["squat", "push_up", "plank", "bicep_curl"] { #expect(run.text.contains(name)) }
        }
    }
}
