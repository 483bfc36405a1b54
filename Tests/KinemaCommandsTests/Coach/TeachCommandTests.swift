import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

@testable import KinemaSynth

extension CommandTests {
    /// `kinema teach`, and `kinema coach` with what it learnt, on rendered people.
    struct TeachCommandTests {
        private static let settings = SynthScene.Settings(
            width: 320, height: 240, frameRate: FrameRate(timescale: 15))

        private static func poses(
            _ name: String, _ movement: Movement = .squat, seed: UInt64 = 4, lean: Double = 0, depth: Double = 1
        ) async throws -> URL {
            var change = MovementChange()
            change.amounts = [.lean: lean, .depth: depth, .seconds: 2.4]
            let scene = SynthScene.exercise(
                movement, repetitions: 3, seed: seed, view: .side, change: change, settings: settings)
            return try await PoseFileCommandTests.lines(of: Clips.write(scene, name))
        }

        private struct Coached: Decodable {
            struct Fault: Decodable { var code: String, text: String? }
            struct Repetition: Decodable { var likeness: Double?, depth: Double, faults: [Fault] }
            struct Dose: Decodable, Equatable {
                var sets: Int, repetitions: Int
                var range: Double?, reached: Int?, seconds: Double?
            }
            struct Person: Decodable { var dose: Dose? }
            var exercise: String?
            var repetitions: [Repetition]
            var people: [Person]
        }

        private func coach(_ clip: URL, _ exercise: URL) async throws -> Coached {
            let run = try await Program.run("coach", clip.path, "--exercise", exercise.path, "--format", "json")
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            return try Contract.decode(Coached.self, from: run.text)
        }

        @Test func `from a recording to a coached patient, with what is wrong in words and a picture`() async throws {
            let folder = try TemporaryFolder()
            let file = folder.file("my-squat.exercise.json")
            let good = try await Self.poses("teach-good")
            let run = try await Program.run("teach", good.path, "--dose", "3x10,90", "-o", file.path)
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            #expect(
                run.text.contains(": 3 repetitions\n  1.  ") && run.text.contains("my squat, from 1 recording with 3"))
            let same = try await coach(good, file)
            #expect(same.exercise == "my-squat" && same.repetitions.count == 3)
            #expect(same.repetitions.allSatisfy { ($0.likeness ?? 0) > 85 && $0.faults.isEmpty }, "\(same)")
            let shallow = try await Self.poses("teach-shallow", depth: 0.65)
            let less = try await coach(shallow, file)
            #expect(less.repetitions.allSatisfy { one in one.faults.contains { $0.code == "shallow" } }, "\(less)")
            #expect(less.people.first?.dose == Coached.Dose(sets: 3, repetitions: 10, range: 0.9, reached: 0))
            let picture = folder.file("why.png")
            let explained = try await Program.run(
                "coach", shallow.path, "--exercise", file.path, "--explain", picture.path)
            #expect(explained.status == 0 && explained.text.contains("% of the range shown"), "\(explained.text)")
            #expect(explained.text.contains("  3 of 3 x 10, 0 with 90 % of the range or more"))
            // The width in a PNG's header.
            let bytes = Array(try Data(contentsOf: picture).prefix(20))
            #expect(bytes.count == 20 && bytes[1...3] == [80, 78, 71] && Int(bytes[18]) * 256 + Int(bytes[19]) == 1100)
        }

        @Test func `a dose prescribes the seconds of a repetition`() async throws {
            let folder = try TemporaryFolder()
            let (file, good) = (folder.file("slow.exercise.json"), try await Self.poses("teach-good"))
            #expect(try await Program.run("teach", good.path, "--dose", "3x10,90,4.5", "-o", file.path).status == 0)
            let found = try await coach(good, file)
            #expect(found.repetitions.allSatisfy { one in one.faults.contains { $0.code == "too_fast" } }, "\(found)")
            #expect(found.people.first?.dose?.seconds == 4.5)
        }

        @Test(arguments: ["coach", "exercises"])
        func `the help names showing an exercise before writing one`(command: String) async throws {
            let help = try await Program.run(command, "--help").text.split(whereSeparator: \.isWhitespace)
                .joined(separator: " ")
            let shown = try #require(help.range(of: "show it: `kinema teach good.mp4 -o mine.exercise.json`"))
            #expect(try #require(help.range(of: " write ")).lowerBound > shown.lowerBound)
        }

        @Test func `a camera mounted sideways teaches the exercise of an upright one`() async throws {
            struct Taught: Decodable {
                struct Measure: Decodable { var measure: String, courses: [[Double]] }
                struct Shown: Decodable { var repetitions: Int, measures: [Measure] }
                var shown: Shown
            }
            let scene = SynthScene.exercise(.squat, repetitions: 3, seed: 4, settings: Clips.settings)
            let folder = try TemporaryFolder()
            let (upright, sideways) = (try Clips.write(scene, "teach-upright"), folder.file("sideways.mp4"))
            try Tool.ffmpeg("-i \(upright.path) -vf transpose=cclock -c:v libx264 -qp 1", sideways)
            var courses: [[String: [Double]]] = []
            for (clip, options) in [(upright, [] as [String]), (sideways, ["--rotate", "90"])] {
                let file = folder.file("squat.exercise.json")
                let run = try await Program().run(["teach", clip.path, "-o", file.path] + options)
                #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
                let shown = try Contract.decode(Taught.self, from: String(contentsOf: file, encoding: .utf8)).shown
                #expect(shown.repetitions == 3)
                courses.append([:])
                for measure in shown.measures { courses[courses.count - 1][measure.measure] = measure.courses.first }
            }
            // Degrees, and shares of the body's size; lying on its side, the body leans by 60 degrees and hardly sinks.
            for (name, tolerance) in [("leftKnee", 5.0), ("leanSideways", 3), ("hipRise", 0.05), ("hipHeight", 0.05)] {
                let (one, other) = (try #require(courses[0][name]), try #require(courses[1][name]))
                #expect(zip(one, other).allSatisfy { abs($0 - $1) < tolerance }, "\(name) \(one) \(other)")
            }
        }

        @Test func `another exercise than the one shown is reported as one`() async throws {
            let folder = try TemporaryFolder()
            let file = folder.file("squat.exercise.json")
            #expect(try await Program.run("teach", Self.poses("teach-good").path, "-o", file.path).status == 0)
            for (movement, isOther) in [(Movement.squat, false), (.bicepsCurl, true)] {
                let clip = try await Self.poses("teach-other-\(movement)", movement, seed: 5)
                let run = try await Program.run("coach", clip.path, "--exercise", file.path)
                #expect(run.text.contains("probably another exercise") == isOther, "\(run.text)")
            }
        }

        @Test func `a fault is named after the folder of its examples`() async throws {
            let folder = try TemporaryFolder()
            let wrong = folder.file("wrong").appending(path: "bent-over")
            try FileManager.default.createDirectory(at: wrong, withIntermediateDirectories: true)
            let lean = try await Self.poses("teach-lean", lean: 35)
            try FileManager.default.copyItem(at: lean, to: wrong.appending(path: "a.jsonl"))
            let file = folder.file("x.exercise.json")
            let good = try await Self.poses("teach-good")
            let run = try await Program.run(
                "teach", good.path, "--wrong", folder.file("wrong").path, "-o", file.path, "--name", "dip")
            #expect(run.status == 0 && run.text.contains("fault: bent over, from 3 repetitions"), "\(run.text)")
            let found = try await coach(lean, file)
            #expect(
                found.repetitions.allSatisfy { $0.faults.first?.text?.hasPrefix("bent over (by ") == true }, "\(found)")
            #expect(try await coach(good, file).repetitions.allSatisfy { $0.faults.isEmpty })
        }

        @Test func `a recording that is given twice is used once`() async throws {
            let (folder, good) = (try TemporaryFolder(), try await Self.poses("teach-good").path)
            let run = try await Program.run("teach", good, good, "-o", folder.file("x.json").path)
            #expect(run.status == 0 && run.text.contains("from 1 recording with 3 repetitions"), "\(run.text)")
            #expect(run.complaints.count == 1 && run.complaint.contains("given more than once"), "\(run.complaint)")
        }

        @Test func `one of the exercises in a folder is recognised`() async throws {
            let folder = try TemporaryFolder()
            let good = try await Self.poses("teach-good")
            let taught = try await Program.run("teach", good.path, "-o", folder.file("dip.exercise.json").path)
            #expect(taught.status == 0, "\(taught.complaint)")
            try await Program.run("exercises", "push_up", "--format", "json").output.write(
                to: folder.file("other.json"))
            let run = try await Program.run("coach", good.path, "--exercise", folder.url.path)
            #expect(run.status == 0 && run.text.contains(": dip, 3 repetitions"), "\(run.text)\(run.complaint)")
            let empty = try TemporaryFolder()
            let none = try await Program.run("coach", good.path, "--exercise", empty.url.path)
            #expect(none.status == 65 && none.complaint.contains("holds 0 exercises"), "\(none.complaint)")
        }

        @Test func `bad input is refused in one line`() async throws {
            let (folder, empty) = (try TemporaryFolder(), try TemporaryFolder())
            let (file, good) = (folder.file("x.json").path, try await Self.poses("teach-good").path)
            let (other, still) = (folder.file("other.jsonl").path, folder.file("still.jsonl").path)
            mkfifo(empty.file("pipe.mp4").path, 0o600)
            let lines = try String(contentsOfFile: good, encoding: .utf8)
            try lines.write(toFile: other, atomically: true, encoding: .utf8)
            try lines.split(separator: "\n").prefix(6).joined(separator: "\n")
                .write(toFile: still, atomically: true, encoding: .utf8)
            let link = folder.file("link.json").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "gone.json")
            for (words, status, complaint) in [
                (["teach", good, "-o", file, "--keep", "2-9"], 64 as Int32, "--keep 2-9: only 3 repetitions found"),
                (["teach", good, "-o", file, "--keep", "2-2"], 65, "1 right repetition found, at least 2 are needed"),
                (["teach", good, other, "-o", file, "--keep", "2-3"], 64, "--keep requires a single recording"),
                (["teach", still, "-o", file], 65, "0 right repetitions found, at least 2 are needed"),
                (["teach", good, "-o", file, "--rotate", "90"], 64, "--rotate applies to videos and images"),
                (["teach", good, "-o", file, "--mirror"], 64, "--mirror applies to videos and images"),
                (["teach", good, "-o", file, "--keep", "0"], 64, "--keep must be numbers of repetitions"),
                (["teach", good, "-o", file, "--dose", "many"], 64, "--dose must be sets and repetitions"),
                (["teach", good, "-o", file, "--dose", "3,10x90"], 64, "--dose must be sets and repetitions"),
                (["teach", good, "-o", file, "--dose", "3x10,90,99"], 64, "--dose must be sets and repetitions"),
                (["teach", good, "-o", file, "--dose", "3x10,2.5"], 64, "--dose must be sets and repetitions"),
                (["teach", good, "-o", "x.mp4"], 64, "--output"),
                // Before anything is read.
                (["teach", "nothing.mp4", "-o", file, "--name", ""], 64, "--name: is empty"),
                (["teach", "nothing.mp4", "-o", file, "--wrong", "b\u{1B}d/x.mp4"], 64, "the folder's name, which"),
                (["teach", "nothing.mp4", "-o", link], 1, "is a link to a file that does not exist"),
                (["teach", "nothing.mp4", "-o", file], 65, "nothing.mp4: no such file"),
                (["teach", empty.url.path, "-o", file], 65, "contains no recording"),
                (["coach", good, "--explain", "x.png"], 64, "--explain requires an exercise of kinema teach"),
            ] {
                let run = try await Program().run(words)
                #expect(run.status == status, "\(words): \(run.status) \(run.complaint)")
                #expect(run.complaints.count == 1 && run.complaint.contains(complaint), "\(words): \(run.complaint)")
            }
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }
}
