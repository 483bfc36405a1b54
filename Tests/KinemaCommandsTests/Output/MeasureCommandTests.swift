import Foundation
import Kinema
import KinemaTestSupport
import Testing

extension CommandTests {
    /// `kinema measure` on files of poses whose person, movement and camera are known.
    struct MeasureCommandTests {
        private struct Found: Decodable {
            struct Scale: Decodable {
                var metresPerUnit, spread: Double
                var frames: Int
                var method: String
            }
            struct Floor: Decodable { var angle, height: Double }
            struct Quantity: Decodable {
                var unit: String
                var values: [Double?]
                var confidence: [Double]
            }
            struct Event: Decodable {
                var kind: String
                var side: String?
                var time, confidence: Double
            }
            struct Tests: Decodable {
                struct Mean: Decodable { var mean, spread: Double }
                struct Gait: Decodable {
                    var cadence, speed: Double
                    var stepLength: Mean
                }
                struct Range: Decodable { var minimum, maximum, seen, confidence: Double }
                var gait: Gait?
                var range: [String: Range]?
            }
            var source, view, direction, filter: String
            var duration: Double
            var frames: Int
            var person: Int?
            var height: Double?
            var scale: Scale?
            var floor: Floor?
            var units: [String: String]
            var times: [Double]
            var quantities: [String: Quantity]
            var events: [Event]
            var tests: Tests
            var confidence: [String: Double]
            var warnings: [String]
        }

        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        private func file(_ text: String, _ name: String = "walk.jsonl") throws -> String {
            let url = folder.file(name)
            try Data(text.utf8).write(to: url)
            return url.path
        }

        private static let walk = MeasuredFigure.walking().lines(5)

        @Test func `a walk is measured in metres, and every part of the contract is there`() async throws {
            let path = try file(Self.walk)
            let run = try await Program.run("measure", path, "--height", "1.8", "--view", "side", "--format", "json")
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            let whole = try Contract.decode(MeasureResult.self, from: run.text)
            #expect(whole.tests.gait != nil && whole.tests.range?["Right knee"] != nil && whole.person == 1)
            let found = try Contract.decode(Found.self, from: run.text)
            #expect(found.person == 1 && found.height == 1.8 && found.frames == 300 && found.source == path)
            #expect(found.view == "side" && found.direction == "right" && found.filter == "butterworth:6")
            #expect(abs((found.scale?.metresPerUnit ?? 0) / 4 - 1) < 0.01 && abs(found.floor?.angle ?? 9) < 0.2)
            #expect(found.times.count == 300)
            for name in ["position", "height", "speed", "Right knee", "Trunk"] {
                let quantity = try #require(found.quantities[name], "\(name)")
                #expect(quantity.values.count == 300 && quantity.confidence.count == 300)
                #expect(found.units[name] == quantity.unit)
            }
            let gait = try #require(found.tests.gait)
            #expect(abs(gait.speed - 1.3) < 0.03 && abs(gait.stepLength.mean - 0.715) < 0.02)
            #expect(found.events.contains { $0.kind == "contact" && $0.side == "left" && $0.confidence == 0.9 })
            #expect(found.confidence["gait"].map { (0.85...0.9).contains($0) } == true && found.confidence.count == 1)
        }

        @Test func `a film's speed changes times and speeds, and a treadmill's is added`() async throws {
            let path = try file(Self.walk)
            func gait(_ options: String...) async throws -> Found.Tests.Gait {
                let words = ["measure", path, "--height", "1.8", "--view", "side", "--format", "json"] + options
                let run = try await Program().run(words)
                return try #require(try Contract.decode(Found.self, from: run.text).tests.gait, "\(run.complaint)")
            }
            let (plain, slow) = (try await gait(), try await gait("--speed", "0.5"))
            // The filters keep their cut-offs, so events move by a hundredth of a second.
            let ratios = (slow.cadence / plain.cadence, slow.speed / plain.speed)
            #expect(abs(ratios.0 - 2) < 0.06 && abs(ratios.1 - 2) < 0.06, "\(ratios)")
            #expect(abs(slow.stepLength.mean - plain.stepLength.mean) < 0.02)
            for words in [["--speed", "0"], ["--speed", "0.5", "--real-rate", "240"], ["--treadmill", "90"]] {
                #expect(try await Program().run(["measure", path, "--height", "1.8"] + words).status == 64)
            }
            let refused = try await Program.run("measure", path, "--height", "1.8", "--real-rate", "240")
            #expect(refused.complaint.contains("use --fps or --speed"), "\(refused.complaint)")
        }

        @Test func `a folder has every table, and each file what its name says`() async throws {
            let path = try file(Self.walk)
            let words = ["measure", path, "--height", "1.8", "--view", "side", "-o"]
            let place = folder.file("out")
            let run = try await Program().run(words + [place.path])
            #expect(run.status == 0 && run.text.contains("gait: "), "\(run.complaint)")
            #expect(run.lines.contains("filter: butterworth:6"))
            for (filter, line) in [("none", "none"), ("butterworth:2.50", "butterworth:2.5")] {
                let other = try await Program.run("measure", path, "--height", "1.8", "--filter", filter)
                #expect(other.lines.contains("filter: \(line)"), "\(other.text)")
            }
            #expect(run.lines.contains { $0.hasPrefix("  Right knee: ") && $0.contains(" (seen ") }, "\(run.text)")
            let names = Set(try FileManager.default.contentsOfDirectory(atPath: place.path))
            for name in [
                "right-knee.csv", "position.csv", "events.csv", "measure.json", "measure.trc", "measure.mot",
                "measure.html", "steps.csv", "ranges.csv", "tests.csv",
            ] {
                #expect(names.contains(name), "\(names)")
            }
            #expect(!names.contains("jumps.csv") && !names.contains("lifts.csv"))
            func cells(of name: String) throws -> [[String]] {
                try String(contentsOf: place.appending(path: name), encoding: .utf8).split(separator: "\n")
                    .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
            }
            let (steps, ranges, tests) = (
                try cells(of: "steps.csv"), try cells(of: "ranges.csv"), try cells(of: "tests.csv")
            )
            #expect(try cells(of: "events.csv")[0] == ["time", "kind", "side", "confidence"])
            #expect(steps[0] == ["side", "start", "end", "length", "unseen"] && steps.count > 5)
            #expect(abs((Double(steps[3][3]) ?? 0) - 0.715) < 0.03 && steps[2][0] != steps[3][0], "\(steps)")
            #expect(ranges.contains { $0[0] == "Right knee" && Double($0[1]) ?? 99 < Double($0[2]) ?? 0 }, "\(ranges)")
            #expect(tests[0] == ["test", "quantity", "value", "unit", "spread"])
            let speed = try #require(tests.first { $0[1] == "speed" })
            #expect(speed[0] == "gait" && abs((Double(speed[2]) ?? 0) - 1.3) < 0.03 && speed[3...] == ["m/s", ""])
            let table = try String(contentsOf: place.appending(path: "right-knee.csv"), encoding: .utf8)
            #expect(
                table.hasPrefix("time,quantity,value,unit,confidence\n") && table.split(separator: "\n").count > 250)
            let chart = try String(contentsOf: place.appending(path: "measure.svg"), encoding: .utf8)
            #expect(chart.contains("<svg"))
            // The markers are in metres: the walk is 1.3 m long in a second.
            let rows = try String(contentsOf: place.appending(path: "measure.trc"), encoding: .utf8)
                .split(separator: "\n").map { $0.split(separator: "\t") }
            let hip = try #require(rows[3].firstIndex(of: "Hip"))
            // A name stands over three columns, of which the split keeps one.
            let column = 2 + 3 * (hip - 2)
            let way = try #require(Double(rows[5 + 180][column])) - #require(Double(rows[5 + 120][column]))
            #expect(abs(way - 1.3) < 0.03)
            let one = folder.file("angles.mot")
            #expect(try await Program().run(words + [one.path]).status == 0)
            #expect(try String(contentsOf: one, encoding: .utf8).hasPrefix("Coordinates\n"))
        }

        @Test func `an oblique view has no file of angles, and says so`() async throws {
            var figure = MeasuredFigure.walking()
            let walk = figure.joints
            figure.joints = { time, figure in
                var joints = walk(time, figure)
                for (key, x) in [
                    (JointKey.leftShoulder, 0.12), (.rightShoulder, -0.12), (.leftHip, 0.07), (.rightHip, -0.07),
                ] { joints[key]?.x += x }
                return joints
            }
            let words = ["measure", try file(figure.lines(3)), "--height", "1.8", "-o"]
            let (one, place) = (folder.file("angles.mot"), folder.file("out"))
            let single = try await Program().run(words + [one.path])
            #expect(single.status == 64 && single.complaints.count == 1, "\(single.complaint)")
            #expect(single.complaint.contains("there is no angle"), "\(single.complaint)")
            let all = try await Program().run(words + [place.path])
            #expect(all.status == 0 && all.text.contains("note: the person is seen obliquely"), "\(all.text)")
            #expect(all.text.contains("no MOT file"), "\(all.text)")
            let names = Set(try FileManager.default.contentsOfDirectory(atPath: place.path))
            #expect(!names.contains("measure.mot") && names.contains("measure.trc"), "\(names)")
            #expect(try await Program().run(words + [one.path, "--view", "front"]).status == 0)
            #expect(try String(contentsOf: one, encoding: .utf8).contains("seen from the front"))
        }

        @Test(arguments: [[], ["--height", "1.9"]]) func `a marked length gives the scale, also beside a height`(
            _ height: [String]
        ) async throws {
            let path = try file(Self.walk)
            let words = ["--scale", "0,0.1,0.5625,0.1=4", "--view", "side", "--format", "json"]
            let run = try await Program().run(["measure", path] + words + height)
            #expect(run.status == 0, "\(run.complaint)")
            let found = try Contract.decode(Found.self, from: run.text)
            #expect(found.scale?.method == "given" && abs((found.scale?.metresPerUnit ?? 0) - 4) < 1e-3)
            #expect(found.height == (height.isEmpty ? nil : 1.9))
        }

        @Test(arguments: [
            ([], 64, "--height is needed"), (["--height", "17"], 64, "--height must be 0.5 to 2.6 metres"),
            (["--height", "nan"], 64, "--height must be 0.5 to 2.6 metres"),
            (["--height", "1.8", "--person", "7"], 2, "no person 7; person 1 was found"),
            (["--height", "1.8", "--person", "tall"], 64, "--person must be"),
            (["--height", "1.8", "--floor", "0.1"], 64, "--floor must be"),
            (["--height", "1.8", "--filter", "kalman"], 64, "--filter must be"),
            (["--scale", "0,0,0,0=4"], 64, "--scale must be"), (["--scale", "0,0,0,1e-9=4"], 64, "--scale must be"),
            (["--height", "1.8", "--view", "top"], 64, "--view"),
            (["--height", "1.8", "--test", "swim"], 64, "--test"),
            (["--height", "1.8", "--overlay", "x.mp4"], 64, "--overlay applies to"),
            (["--height", "1.8", "--at", "1"], 64, "--at requires"),
            (["--height", "1.8", "--overlay", "x.mp4", "--at", "1"], 64, "--at requires"),
            (["--height", "1.8", "-o", "x.c3d"], 64, "--output cannot be .c3d: use .html, "),
            (["--height", "1.8", "-o", "x.XLSX"], 64, "--output cannot be .xlsx: use .html, "),
            (["--height", "1.8", "-o", "/dev/null/x"], 1, "cannot be created"),
            (["--height", "1.8", "-o", "/nowhere/x.html"], 1, "does not exist"),
        ])
        func `wrong options are one line and the right code`(_ options: [String], _ code: Int, _ words: String)
            async throws
        {
            let run = try await Program().run(["measure", try file(Self.walk)] + options)
            #expect(run.status == Int32(code) && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.contains(words), "\(run.complaint)")
        }

        @Test func `a report is one page with values, curves, limits and definitions, and its text is escaped`()
            async throws
        {
            let path = try file(Self.walk, "a <b> & \"c.jsonl")
            let page = folder.file("report.html")
            let run = try await Program.run("measure", path, "--height", "1.8", "--view", "side", "-o", page.path)
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(text.contains("a &lt;b&gt; &amp; &quot;c.jsonl") && !text.contains("<b>"))
            #expect(
                text.components(separatedBy: "<svg").count == 2 && !text.contains("<script") && !text.contains("<?xml"))
            #expect(!text.contains("href=\"http") && !text.contains("src="))
            for part in [
                "<h1>a &lt;b&gt;", "<td>gait</td>", "<td>Right knee</td>", "Asymmetry: ", "Cadence: ", "6.0 Hz",
                "published error 5 cm (Stenum 2021)",
            ] {
                #expect(text.contains(part), "\(part)")
            }
            #expect(!text.contains("Right shank"), "segments are in the tables")
            #expect([-0.04, -0.06, -12, 0.96].map { $0.text(1) } == ["0.0", "-0.1", "-12.0", "1.0"])
        }

        @Test func `a sprint start is in the text with its set position and steps`() async throws {
            let path = try file(MeasuredFigure.sprinting().lines(2.5))
            let words = ["--scale", "0,0.1,0.5625,0.1=4", "--floor", "0.15,0.15", "--view", "side", "--test", "sprint"]
            let place = folder.file("out")
            let run = try await Program().run(["measure", path] + words + ["-o", place.path])
            #expect(run.status == 0 && run.text.contains("sprint start at 1.0"), "\(run.text) \(run.complaint)")
            #expect(run.text.contains("trunk 50 degrees") && run.text.contains("step 3, right: toe-off "))
            let table = try String(contentsOf: place.appending(path: "sprint.csv"), encoding: .utf8)
            #expect(table.hasPrefix("side,toe_off,contact,speed,length\nright,1.1"), "\(table)")
            let tests = try String(contentsOf: place.appending(path: "tests.csv"), encoding: .utf8)
            #expect(tests.contains("sprint,first movement,1.0") && tests.contains("sprint,Trunk,"), "\(tests)")
        }

        @Test func `what a view cannot give is said, in the text and on the page`() async throws {
            let page = folder.file("report.html")
            let run = try await Program.run(
                "measure", try file(Self.walk), "--height", "1.8", "--view", "front", "--test", "jump", "-o", page.path)
            #expect(run.status == 0 && run.text.contains("the test jump was not found"), "\(run.text)")
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(text.contains("does not show flexion") && text.contains("the test jump was not found"))
            #expect(!text.contains("Right knee"))
        }

        @Test func `the film and the picture have the measured angles, and the report has the picture`() async throws {
            let clip = try Clips.squat.get()
            let words = ["measure", clip.path, "--height", "1.7", "--view", "side", "--overlay"]
            let film = folder.file("film.mp4")
            let run = try await Program().run(words + [film.path])
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            #expect(try await Clips.frames(of: film).count == Clips.frames(of: clip).count)
            let (picture, page) = (folder.file("low.png"), folder.file("low.html"))
            #expect(try await Program().run(words + [picture.path, "--at", "2", "-o", page.path]).status == 0)
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(
                text.contains("src=\"data:image/png;base64,\(try Data(contentsOf: picture).base64EncodedString())\""))
            let other = folder.file("start.png")
            #expect(try await Program().run(words + [other.path, "--at", "0.2"]).status == 0)
            #expect(try Data(contentsOf: picture) != Data(contentsOf: other))
            let late = try await Program().run(words + [folder.file("late.png").path, "--at", "99"])
            #expect(late.status == 64 && late.complaint.contains("before the end"), "\(late.complaint)")
        }

        @Test func `nobody is nothing found`() async throws {
            let line = "{\"frame\":0,\"time\":0,\"people\":[],\"hands\":[],\"width\":1280,\"height\":720}\n"
            let next = line.replacing("\"frame\":0,\"time\":0", with: "\"frame\":1,\"time\":0.1")
            let run = try await Program.run("measure", try file(line + next), "--height", "1.8")
            #expect(
                run.status == 2 && run.complaints.count == 1 && run.complaint.contains("no person"), "\(run.complaint)")
        }

        @Test func `others in view are named, and the one asked for is measured`() async throws {
            let path = try file(MeasuredFigure.walking().lines(3, people: 2))
            let run = try await Program.run("measure", path, "--height", "1.8")
            #expect(run.status == 0 && run.text.contains("note: 1 other person in view"), "\(run.text)")
            let other = try await Program.run("measure", path, "--height", "1.8", "--person", "2")
            #expect(other.text.contains("person 2,") && !other.text.contains("other person"))
        }

        @Test func `a gap of hours is refused with its place, and nothing is invented for it`() async throws {
            let broken = Self.walk.replacing("\"time\":4.", with: "\"time\":30004.")
            let markers = folder.file("x.trc")
            let run = try await Program.run(
                "measure", try file(broken), "--height", "1.8", "-o", markers.path, "--format", "json")
            #expect(run.status == 65 && run.output.isEmpty && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.contains("a gap of 30000 s at 4.0 s"), "\(run.complaint)")
            #expect(!FileManager.default.fileExists(atPath: markers.path))
        }

        @Test func `numbers that are none end the reading with one line`() async throws {
            let broken = Self.walk.replacingOccurrences(of: "\"time\":1.0,", with: "\"time\":NaN,")
            let run = try await Program.run("measure", try file(broken), "--height", "1.8")
            #expect(run.status == 65 && run.complaints.count == 1, "\(run.status) \(run.complaint)")
        }
    }
}
