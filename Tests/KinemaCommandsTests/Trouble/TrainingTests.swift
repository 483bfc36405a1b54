import Foundation
import Kinema
import KinemaTestSupport
import Testing

@testable import KinemaCommands

extension CommandTests {
    /// Training and naming from the command line, with good and with bad data.
    struct TrainingTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        /// A clip of 18 joints in a file: one arm goes up and down, or both.
        private func clip(_ path: String, arms: Int, person: Double, isSeen: Bool = true) throws {
            let frames = (0..<90).map { frame -> String in
                let lift = sin(Double(frame) / 30 * 6 * (1 + person / 10)) * 60
                let joints = (0..<18).map { joint -> String in
                    let side = joint == 3 || joint == 4 ? 1.0 : (joint == 6 || joint == 7) && arms == 2 ? 1.0 : 0
                    let (x, y) = (200 + Double(joint % 5) * (20 + person), 100 + Double(joint) * 10 + side * lift)
                    return "[\(x),\(y),\(isSeen ? 0.9 : 0)]"
                }
                return "[" + joints.joined(separator: ",") + "]"
            }
            let url = folder.file(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(("[" + frames.joined(separator: ",") + "]").utf8).write(to: url)
        }

        private func clips() throws {
            for person in 0..<4 {
                try clip("data/one/\(person).json", arms: 1, person: Double(person))
                try clip("data/two/\(person).json", arms: 2, person: Double(person))
            }
        }

        private func refused(
            _ status: Int32, _ words: String, _ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let run = try await Program().run(arguments, sourceLocation: sourceLocation)
            #expect(run.status == status, "\(run.complaint)", sourceLocation: sourceLocation)
            #expect(run.complaints.count == 1, "\(run.complaint)", sourceLocation: sourceLocation)
            #expect(run.complaint.contains(words), "\(run.complaint)", sourceLocation: sourceLocation)
        }

        @Test func `clips and classes behind links are learnt from`() async throws {
            try clips()
            let linked = folder.file("linked")
            try FileManager.default.createDirectory(
                at: linked.appending(path: "one"), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                at: linked.appending(path: "two"), withDestinationURL: folder.file("data/two"))
            for person in 0..<4 {
                try FileManager.default.createSymbolicLink(
                    at: linked.appending(path: "one/\(person).json"),
                    withDestinationURL: folder.file("data/one/\(person).json"))
            }
            let model = folder.file("m.kinema").path
            let trained = try await Program.run("train", linked.path, "-o", model)
            #expect(trained.status == 0 && trained.text.contains("2 classes from 8 clips"), "\(trained.complaint)")
            let dangling = linked.appending(path: "one/9.mp4")
            try FileManager.default.createSymbolicLink(at: dangling, withDestinationURL: folder.file("nothing"))
            try await refused(
                65, "\(dangling.path): no such file", "train", linked.path, "-o", model, "--strict")
            try FileManager.default.removeItem(at: dangling)
            mkfifo(dangling.path, 0o600)
            try await refused(
                65, "\(dangling.path): is not a file", "train", linked.path, "-o", model, "--strict")
        }

        @Test func `a classification that is stopped reports the actions so far`() async throws {
            try clips()
            let model = folder.file("m.kinema").path
            #expect(try await Program.run("train", folder.file("data").path, "-o", model).status == 0)
            let running = try Program().start([
                "classify", try Clips.long.get().path, "--classifier", model, "--format", "jsonl",
            ])
            #expect(try await running.holds { running.output.contains(UInt8(ascii: "\n")) })
            running.interrupt(SIGTERM)
            let run = try await running.outcome()
            #expect(run.status == 130 && run.complaint.isEmpty, "\(run.complaint)")
            #expect(run.lines.last?.contains("\"frames\":") == true && run.text.hasSuffix("\n"))
        }

        @Test func `a file beside a classifier that cannot be written costs neither it nor its summary`() async throws {
            try clips()
            try FileManager.default.createSymbolicLink(
                at: folder.file("full.html"), withDestinationURL: URL(filePath: "/dev/full"))
            let model = folder.file("m.kinema").path
            let run = try await Program.run(
                "train", folder.file("data").path, "-o", model, "--report", folder.file("full.html").path)
            #expect(run.status == 1 && run.text.contains("2 classes from 8 clips"), "\(run.text)")
            #expect(run.complaints.count == 1 && run.complaint.contains("the disk is full"), "\(run.complaint)")
            let again = try await Program.run(
                "classify", folder.file("data/one/0.json").path, "--classifier", model, "--format", "json")
            #expect(again.status == 0, "\(again.complaint)")
        }

        @Test func `times that no recording has are refused with their line`() async throws {
            try clips()
            let (model, lines) = (folder.file("m.kinema").path, folder.file("t.jsonl"))
            let trained = try await Program.run("train", folder.file("data").path, "-o", model, "--format", "csv")
            #expect(trained.status == 0 && trained.text == "class,clips\none,4\ntwo,4\n", "\(trained.text)")
            for time in ["1e19", "1e308", "0"] {
                let frame = "{\"time\":0,\"people\":[]}\n"
                try Data((frame + frame.replacing("0", with: time)).utf8).write(to: lines)
                try await refused(
                    65, "\(lines.path): line 2 has the time", "classify", lines.path, "--classifier", model)
            }
        }

        @Test func `a folder for each class becomes a classifier that names`() async throws {
            try clips()
            let (data, model) = (folder.file("data").path, folder.file("m.kinema").path)
            let trained = try await Program.run("train", data, "-o", model)
            #expect(trained.status == 0, "\(trained.complaint)")
            #expect(trained.text.contains("2 classes from 8 clips"))
            try clip("new.json", arms: 2, person: 1.5)
            let named = try await Program.run(
                "classify", folder.file("new.json").path, "--classifier", model, "--format", "csv")
            #expect(named.lines.first == "start,end,label,confidence")
            #expect(named.lines.dropFirst().allSatisfy { $0.contains(",two,") }, "\(named.text)")
            let judged = try await Program.run("evaluate", "classify", data, "--leave-out", "clip", "--format", "json")
            #expect(judged.text.contains("\"accuracy\":1,"), "\(judged.text)")
        }

        @Test func `an exported classifier names what the classifier names, wherever one is taken`() async throws {
            try clips()
            let (data, model) = (folder.file("data").path, folder.file("m.kinema").path)
            let (network, clip) = (folder.file("m.onnx").path, folder.file("new.json").path)
            let trained = try await Program.run("train", data, "-o", model, "--export", network)
            #expect(trained.status == 0, "\(trained.complaint)")
            try self.clip("new.json", arms: 2, person: 1.5)
            let own = try await Program.run("classify", clip, "--classifier", model, "--format", "jsonl")
            let read = try await Program.run("classify", clip, "--classifier", network, "--format", "jsonl")
            #expect(read.status == 0 && read.lines.count == own.lines.count, "\(read.complaint)")
            #expect(read.text.contains("two"), "\(read.text)")
            let judged = try await Program.run(
                "evaluate", "classify", data, "--classifier", network, "--format", "json")
            #expect(judged.text.contains("\"accuracy\":1,"), "\(judged.text) \(judged.complaint)")
            let labels = folder.file("labels.txt")
            try Data("left\nright\n".utf8).write(to: labels)
            let renamed = try await Program.run(
                "classify", clip, "--classifier", network, "--labels", labels.path, "--format", "csv")
            #expect(renamed.text.contains(",right,"), "\(renamed.text) \(renamed.complaint)")
            try Data("left\n".utf8).write(to: labels)
            try await refused(65, "lists 1 class", "classify", clip, "--classifier", network, "--labels", labels.path)
            try await refused(64, "leave them out", "classify", clip, "--classifier", model, "--window-rate", "25")
            try Data(Data(contentsOf: URL(filePath: network)).prefix(5000)).write(to: URL(filePath: network))
            try await refused(65, "cut short", "classify", clip, "--classifier", network)
        }

        /// A stored sequence of a right hand, as `kinema pose --hands --no-bodies --format jsonl` writes it: the tips of thumb
        /// and index finger meet and part, or all fingers close and open.
        private func handLines(_ path: String, pinches: Bool, person: Double) throws {
            let names = HandSkeleton.joints.map(\.rawValue)
            let lines = (0..<90).map { frame -> String in
                let closed = (1 + sin(Double(frame) / 30 * 6 * (1 + person / 10))) / 2
                let joints = names.enumerated().map { index, name -> String in
                    let (finger, along) = ((index + 3) / 4, Double((index + 3) % 4 + 1))
                    var (x, y) = (0.5 + 0.03 * Double(finger - 3), 0.4 + (index == 0 ? 0 : 0.1 + 0.03 * along))
                    if pinches, finger == 1 { x += 0.02 * along * closed }
                    if !pinches, index > 0 { y -= 0.05 * along * closed }
                    return "\"\(name)\":[\(x + person / 100),\(y),0.9]"
                }
                return
                    #"{"frame":\#(frame),"time":\#(Double(frame) / 30),"people":[],"hands":[{"id":1,"chirality":"right","#
                    + #""person":null,"confidence":0.9,"box":[0.4,0.4,0.2,0.2],"keypoints":{"#
                    + joints.joined(separator: ",") + #"},"keypoints3D":{}}],"width":640,"height":480}"#
            }
            let url = folder.file(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url)
        }

        @Test func `stored hands are learnt from and named, and the classifier knows that it is of hands`() async throws
        {
            for person in 0..<4 {
                try handLines("hands/pinch/\(person).jsonl", pinches: true, person: Double(person))
                try handLines("hands/fist/\(person).jsonl", pinches: false, person: Double(person))
            }
            let (data, model) = (folder.file("hands").path, folder.file("h.kinema").path)
            let trained = try await Program.run("train", data, "--hands", "-o", model, "--format", "json")
            #expect(trained.status == 0 && trained.text.contains(#""subject":"hand""#), "\(trained.complaint)")
            for (label, pinches) in [("pinch", true), ("fist", false)] {
                try handLines("new.jsonl", pinches: pinches, person: 1.5)
                let named = try await Program.run(
                    "classify", folder.file("new.jsonl").path, "--classifier", model, "--format", "csv")
                #expect(named.status == 0, "\(named.complaint)")
                #expect(named.lines.count > 1 && named.lines.dropFirst().allSatisfy { $0.contains(",\(label),") })
            }
            // A film without a hand, and bodies where hands are wanted.
            let nobody = try Clips.nobody.get().path
            try await refused(2, "no hand was found", "classify", nobody, "--classifier", model)
            try clip("bodies.json", arms: 1, person: 0)
            let bodies = folder.file("bodies.json").path
            try await refused(
                65, "does not contain x, y, confidence of 21 joints", "classify", bodies, "--classifier", model)
            let odd = ["classify", nobody, "--classifier", model, "--search", "parts"]
            let run = try await Program().run(odd)
            #expect(run.status == 64 && run.complaint.contains("--search applies only to bodies"), "\(run.complaint)")
            // Without --hands the lines hold nobody.
            let without = try await Program.run("train", data, "-o", folder.file("b.kinema").path)
            #expect(without.status == 64 && without.complaint.contains("no clip that shows a person"))
        }

        @Test func `a classifier leaves with a report and in onnx`() async throws {
            try clips()
            let (page, onnx) = (folder.file("report.html"), folder.file("m.onnx"))
            let trained = try await Program.run(
                "train", folder.file("data").path, "-o", folder.file("m.kinema").path, "--report", page.path,
                "--export", onnx.path, "--format", "json", "--augment", "stretch,jitter,frames")
            #expect(trained.status == 0, "\(trained.complaint)")
            #expect(trained.text.contains(#""mirrored":false"#) && trained.text.contains(#""confusion":[["#))
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(text.contains("<svg"))
            #expect(text.contains("<td>one</td><td class=\"number\">4</td>"), "\(text)")
            #expect(try Data(contentsOf: onnx).count > 100_000)
            let folderReport = try await Program.run(
                "train", folder.file("data").path, "-o", folder.file("m.kinema").path, "--report",
                folder.file("reports").path, "--validation", "0.3")
            #expect(folderReport.status == 0, "\(folderReport.complaint)")
            let svg = try String(contentsOf: folder.file("reports/confusion.svg"), encoding: .utf8)
            #expect(svg.hasPrefix("<?xml"))
        }

        @Test func `options of training that mean nothing are refused`() async throws {
            try clips()
            let (data, model) = (folder.file("data").path, folder.file("m.kinema").path)
            let wrong = [
                (["--augment", "mirror,turn"], "--augment must be none, or some of mirror,stretch"),
                (["--validation", "0.9"], "--validation must be auto, none or 0.05 to 0.5"),
                (["--export", "m.bin"], "--export needs a file name that ends in .onnx"),
            ]
            for (arguments, words) in wrong {
                let run = try await Program().run(["train", data, "-o", model] + arguments)
                #expect(run.status == 64 && run.complaint.contains(words), "\(run.complaint)")
            }
        }

        @Test func `bad data is reported in one line`() async throws {
            try clips()
            let (data, model) = (folder.file("data").path, folder.file("m.kinema").path)
            let remedy = "give a folder of clips per class, or a table (kinema train --help)"
            try await refused(65, "no such file or folder; \(remedy)", "train", folder.file("none").path, "-o", model)
            let table = folder.file("table.csv").path
            try Data("file,class\ndata/one/0.json,one\n".utf8).write(to: folder.file("table.csv"))
            try await refused(65, "has no column label; its columns are file, class", "train", table, "-o", model)
            try Data("file,label,start,end\ndata/one/0.json,one,2,1\n".utf8).write(to: folder.file("table.csv"))
            try await refused(65, "row 1: the end is not after the start", "train", table, "-o", model)
            try clip("data/three/0.json", arms: 1, person: 5)
            try await refused(64, "\"three\" has only one clip", "train", data, "-o", model)
            try FileManager.default.removeItem(at: folder.file("data/three/0.json"))
            try await refused(65, "the class \"three\" has no clip", "train", data, "-o", model)
            try Data("[[[1,2".utf8).write(to: folder.file("data/three/0.json"))
            try await refused(65, "cut short", "train", data, "-o", model, "--strict")
            #expect(!FileManager.default.fileExists(atPath: model))
        }

        @Test func `a clip that cannot be read is left out with a warning, unless it must be strict`() async throws {
            try clips()
            let (data, model) = (folder.file("data").path, folder.file("m.kinema").path)
            let broken = folder.file("data/one/broken.mp4")
            try Data("no film".utf8).write(to: broken)
            for command in [["train", data, "-o", model], ["evaluate", "classify", data, "--leave-out", "clip"]] {
                let run = try await Program().run(command)
                #expect(run.status == 0 && run.text.contains("8 clips"), "\(run.text)")
                #expect(run.complaints.count == 1, "\(run.complaint)")
                #expect(run.complaint.contains("broken.mp4: ") && run.complaint.contains("; the clip is skipped"))
                let strict = try await Program().run(command + ["--strict"])
                #expect(
                    strict.status == 65 && strict.complaints.count == 1 && strict.text.isEmpty, "\(strict.complaint)")
                #expect(strict.complaint.hasPrefix("kinema: \(broken.path): "), "\(strict.complaint)")
            }
            // A class of which nothing is left is no class.
            try FileManager.default.createDirectory(at: folder.file("data/three"), withIntermediateDirectories: true)
            try FileManager.default.moveItem(at: broken, to: folder.file("data/three/broken.mp4"))
            let lost = try await Program.run("train", data, "-o", model)
            #expect(lost.status == 65 && lost.complaints.count == 2, "\(lost.complaint)")
            #expect(lost.complaints.last?.contains("no clip of the class \"three\" can be read") == true)
            try FileManager.default.removeItem(at: folder.file("data/three"))
            try clip("data/one/empty.json", arms: 1, person: 0, isSeen: false)
            try await refused(65, "empty.json: no person was found", "train", data, "-o", model, "--strict")
        }

        @Test func `clips of a camera mounted sideways are turned, stored poses are not`() async throws {
            let sideways = folder.file("sideways.mp4")
            try Tool.ffmpeg("-i \(Clips.brief.get().path) -vf transpose=cclock -c:v libx264 -qp 1", sideways)
            var reader = ClipReader(pipeline: PosePipeline(), rate: 30)
            let upright = try await reader.sequence(Clips.brief.get(), Interruption())
            reader.orientation = PixelOrientation(degreesClockwise: 90)
            let turned = try await reader.sequence(sideways, Interruption())
            #expect(upright.count == Clips.rate && turned.times == upright.times && turned.picture == upright.picture)
            for joint in [JointKey.nose, .leftAnkle, .rightAnkle] {
                let index = try #require(upright.joints.firstIndex(of: joint)) * 3
                // The first frame is read from a coarser search than the others.
                let second = upright.frameSize + index
                let apart = stride(from: second, to: upright.points.count, by: upright.frameSize).map { at in
                    let x = upright.points[at] - turned.points[at]
                    let y = upright.points[at + 1] - turned.points[at + 1]
                    return hypot(x, y)
                }
                #expect(apart.allSatisfy { $0 < 0.05 }, "\(joint) \(apart)")
            }
            try clips()
            let (data, model) = (folder.file("data").path, folder.file("m.kinema").path)
            let refusal = "--rotate applies to videos and images"
            try await refused(64, refusal, "train", data, "-o", model, "--rotate", "90")
            try await refused(64, refusal, "evaluate", "classify", data, "--rotate", "180")
        }

        @Test func `a clip without a person is left out of training and not named`() async throws {
            try clips()
            try clip("data/one/empty.json", arms: 1, person: 0, isSeen: false)
            let model = folder.file("m.kinema").path
            let trained = try await Program.run("train", folder.file("data").path, "-o", model)
            #expect(trained.status == 0)
            #expect(trained.complaints.count == 1 && trained.complaint.contains("empty.json: no person was found"))
            let empty = folder.file("data/one/empty.json").path
            try await refused(2, "no person was found", "classify", empty, "--classifier", model)
        }

        @Test func `a damaged or newer classifier is refused`() async throws {
            try clips()
            let model = folder.file("m.kinema")
            _ = try await Program.run("train", folder.file("data").path, "-o", model.path)
            let clip = folder.file("data/one/0.json").path
            let whole = try Data(contentsOf: model)
            try whole.prefix(whole.count / 2).write(to: model)
            try await refused(65, "cut short", "classify", clip, "--classifier", model.path)
            try Data(String(decoding: whole, as: UTF8.self).replacing(/"version":\d}/, with: "\"version\":9}").utf8)
                .write(to: model)
            try await refused(65, "update Kinema", "classify", clip, "--classifier", model.path)
            try await refused(65, "no such file", "classify", clip, "--classifier", folder.file("x").path)
        }

        @Test(.enabled(if: FileManager.default.fileExists(atPath: SharedData.file("mend/one_frame.mp4").path)))
        func `a single frame gets no name, and the message says how much it takes`() async throws {
            let film = SharedData.file("mend/one_frame.mp4").path
            let model = SharedData.file("mend/two_classes.model").path
            let run = try await Program.run("classify", film, "--classifier", model, "--format", "json")
            #expect(run.status == 0 && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.contains("0.00 s (1 frame), at least 1.0 s are needed"), "\(run.complaint)")
            #expect(
                run.text.contains(#""segments":[]"#) && run.text.contains(#""too_short":{"needed":1,"#), "\(run.text)")
            for (command, status) in [("count", 0), ("coach", 2), ("toss", 2)] {
                let run = try await Program.run(command, film)
                #expect(run.status == status && run.complaints.count == 1, "\(run.complaint)")
                #expect(run.complaint.contains("too short to analyse"), "\(run.complaint)")
            }
        }

        /// Four of sixteen people are strangers to a classifier of the others; in full each is one in turn.
        @Test(.enabled(if: SharedData.isPresent))
        func `strangers among real recordings are named`() async throws {
            var words = ["evaluate", "classify", SharedData.file("sequences/motions5/index.csv").path]
            if !Sweep.isFull {
                let (known, strange) = try peopleApart(["train0", "train8", "train10", "train22"])
                let model = folder.file("m.kinema").path
                let trained = try await Program.run("train", known, "-o", model, "--validation", "none")
                #expect(trained.status == 0 && trained.text.contains("147 clips"), "\(trained.complaint)")
                words = ["evaluate", "classify", strange, "--classifier", model]
            }
            let run = try await Program().run(words + ["--format", "json"])
            let accuracy = try #require(run.text.firstMatch(of: /"accuracy":([0-9.]+)/)).output.1
            #expect((Double(accuracy) ?? 0) >= 0.975, "\(accuracy)")
        }

        /// Two lists of the recordings: of everybody else, and of these people.
        private func peopleApart(_ people: Set<Substring>) throws -> (others: String, people: String) {
            let recordings = SharedData.file("sequences/motions5")
            for name in try FileManager.default.contentsOfDirectory(atPath: recordings.path)
            where name.hasSuffix(".gz") {
                try FileManager.default.createSymbolicLink(
                    at: folder.file(name), withDestinationURL: recordings.appending(path: name))
            }
            let rows = try String(contentsOf: recordings.appending(path: "index.csv"), encoding: .utf8)
                .split(whereSeparator: \.isNewline)
            let (others, own) = (folder.file("others.csv"), folder.file("people.csv"))
            for (file, isOwn) in [(others, false), (own, true)] {
                let chosen = rows.dropFirst().filter { row in
                    people.contains(row.split(separator: ",").last ?? "") == isOwn
                }
                try Data((rows.prefix(1) + chosen).joined(separator: "\n").utf8).write(to: file)
            }
            return (others.path, own.path)
        }
    }
}
