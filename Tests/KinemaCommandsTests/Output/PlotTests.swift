import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaSynth

extension CommandTests {
    /// `kinema count --plot` and `kinema evaluate rendered`.
    struct PlotTests {
        @Test func `the chart is written in both formats beside the same count`() async throws {
            let clip = try await PoseFileCommandTests.lines(of: Clips.pair.get())
            let folder = try TemporaryFolder()
            let (vector, picture) = (folder.file("chart.svg"), folder.file("chart.png"))
            let first = try await Program.run(
                "count", clip.path, "--people", "all", "--plot", vector.path, "--format", "json")
            let second = try await Program.run("count", clip.path, "--plot", picture.path, "--format", "json")
            #expect(first.status == 0 && second.status == 0, "\(first.complaint)\(second.complaint)")
            let plain = try await Program.run("count", clip.path, "--people", "all", "--format", "json")
            #expect(first.text == plain.text)
            let text = try String(contentsOf: vector, encoding: .utf8)
            // Two panels of 220 points, a title and an axis.
            #expect(text.contains("<svg") && text.contains("width=\"1200") && text.contains("height=\"546"))
            #expect(try Data(contentsOf: picture).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        }

        @Test func `subtitles show the running count, of each person where there are several`() async throws {
            let clip = try await PoseFileCommandTests.lines(of: Clips.pair.get())
            let folder = try TemporaryFolder()
            let (one, all) = (folder.file("one.srt"), folder.file("all.srt"))
            struct Counted: Decodable {
                struct Person: Decodable {
                    struct Repetition: Decodable { var end: Double }
                    var id: Int, repetitions: [Repetition]
                }
                var duration: Double, people: [Person]
            }
            let run = try await Program.run("count", clip.path, "--subtitles", one.path, "--format", "json")
            let counted = try Contract.decode(Counted.self, from: run.text)
            let entries = try String(contentsOf: one, encoding: .utf8).components(separatedBy: "\n\n")
            let ends = try #require(counted.people.first).repetitions.map(\.end)
            #expect(ends.count > 1 && entries.count == ends.count, "\(run.text)")
            for (index, entry) in entries.enumerated() {
                let lines = entry.split(separator: "\n")
                let clock = String(format: "00:00:%06.3f", ends[index]).replacing(".", with: ",")
                #expect(lines.count == 3 && lines[0] == "\(index + 1)" && lines[2] == "\(index + 1)", "\(entry)")
                #expect(lines[1].hasPrefix(clock + " --> "), "\(entry)")
            }
            _ = try await Program.run("count", clip.path, "--people", "all", "--subtitles", all.path)
            let text = try String(contentsOf: all, encoding: .utf8)
            #expect(text.contains(/\n1: \d+   2: \d+\n/), "\(text)")
            let ending = try await Program.run("count", clip.path, "--subtitles", "counts.vtt")
            #expect(ending.status == 64 && ending.complaint.contains("--subtitles needs a file name that ends in .srt"))
        }

        @Test func `a chart without a place or with another ending is refused before the work`() async throws {
            let clip = try Clips.squat.get()
            let ending = try await Program.run("count", clip.path, "--plot", "chart.pdf")
            #expect(
                ending.status == 64 && ending.complaint.contains("--plot needs a file name that ends in .svg or .png"))
            let nowhere = try await Program.run("count", clip.path, "--plot", "/nowhere/chart.svg")
            #expect(
                nowhere.status == 1 && nowhere.text.isEmpty && nowhere.complaints.count == 1, "\(nowhere.complaint)")
        }

        @Test func `a rendered clip is scored against its own truth`() async throws {
            let run = try await Program.run(
                "evaluate", "rendered", "--clips", "1", "--without-exercise", "1", "--format", "json")
            struct Row: Decodable { var seed: Int, exercise: String, reps: Int, counted: Int }
            struct Whole: Decodable {
                var rows: [Row], exact: Double, repetitions: Int, starts_near: Double, without_exercise_uncounted: Int
            }
            #expect(run.status == 0, "\(run.complaint)")
            let whole = try Contract.decode(Whole.self, from: run.text)
            let scene = SynthScene.random(seed: 0)
            #expect(whole.rows.count == 2 && whole.rows[0].reps == scene.count && whole.repetitions == scene.count)
            #expect(whole.exact == (whole.rows[0].counted == scene.count ? 1 : 0))
            #expect(whole.rows[1].exercise == "none" && whole.rows[1].reps == 0)
            #expect(whole.without_exercise_uncounted == (whole.rows[1].counted == 0 ? 1 : 0))
        }

        /// What somebody does twice, the second time until the recording ends; and one gesture with both arms.
        @Test(arguments: Sweep.of([108, 122], or: [122])) func `everyday movement is not counted`(seed: Int)
            async throws
        {
            let run = try await Program.run(
                "evaluate", "rendered", "--clips", "0", "--without-exercise", "1", "--seed", "\(seed)", "--format",
                "csv")
            #expect(run.status == 0 && run.text.contains("\(seed),none,0,0"), "\(run.text)\(run.complaint)")
        }
    }
}
