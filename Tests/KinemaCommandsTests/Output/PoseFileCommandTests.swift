import KinemaPose
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaSynth

extension CommandTests {
    /// `kinema count`, `coach` and `evaluate` on files of poses, which need neither video nor model.
    struct PoseFileCommandTests {
        private let folder: TemporaryFolder
        /// A program that finds no model anywhere.
        private let bare: Program

        init() throws {
            folder = try TemporaryFolder()
            bare = Program(environment: ["KINEMA_HOME": folder.file("nothing").path])
        }

        private static let scene = CountCommandTests.exercise(.squat, 4, seed: 6, view: .front)

        /// The lines of a video's poses, found with the arithmetic that counts; each made once.
        static func lines(of clip: URL) async throws -> URL {
            let url = clip.deletingPathExtension().appendingPathExtension("jsonl")
            guard !FileManager.default.fileExists(atPath: url.path) else { return url }
            let run = try await Program.run("pose", clip.path, "--precision", "f32", "--format", "jsonl")
            #expect(run.status == 0, "\(run.complaint)")
            try run.output.write(to: url)
            return url
        }

        /// What may differ more than by the last digit, seconds or shares.
        private let tolerances = [
            "probability": 0.02, "known": 1.02, "delay": 1.02, "start": 0.05, "end": 0.05, "confidence": 0.01,
        ]

        /// Whether two results are the same but for the name of the input and the last digit of times: lines are rounded.
        ///
        /// When a repetition was known hangs on the reading at which its set was sure enough; the next is up to a second later,
        /// and sees its beginning and end a little otherwise.
        private func same(_ one: Any, _ other: Any, within tolerance: Double = 2e-3) -> Bool {
            switch (one, other) {
            case (let one as [String: Any], let other as [String: Any]):
                one.keys == other.keys
                    && one.allSatisfy { key, value in
                        let tolerance = tolerances[key] ?? 2e-3
                        return key == "source" || other[key].map { same(value, $0, within: tolerance) } == true
                    }
            case (let one as [Any], let other as [Any]):
                one.count == other.count && zip(one, other).allSatisfy { same($0, $1) }
            case (let one as NSNumber, let other as NSNumber): abs(one.doubleValue - other.doubleValue) < tolerance
            case (let one as String, let other as String): one == other
            default: one is NSNull && other is NSNull
            }
        }

        @Test(
            arguments: Sweep.of(
                [
                    ["count"], ["count", "--people", "all"],
                    ["coach", "--people", "all"], ["coach", "--exercise", "squat"],
                ],
                or: [["count", "--people", "all"], ["coach", "--exercise", "squat"]]))
        func `the poses of a video give what the video gives`(command: [String]) async throws {
            let clip = try command.contains("all") ? Clips.pair.get() : Clips.squat.get()
            let lines = try await Self.lines(of: clip)
            // The lines have every frame.
            let seen = try await Program().run(command + [clip.path, "--every", "1", "--format", "json"])
            let read = try await bare.run(command + [lines.path, "--format", "json"])
            #expect(seen.status == read.status && seen.complaint.isEmpty && read.complaint.isEmpty, "\(read.complaint)")
            let values = try [seen, read].map { try JSONSerialization.jsonObject(with: $0.output) }
            #expect(same(values[0], values[1]), "\(seen.text)\n\(read.text)")
            let source = (values[1] as? [String: Any])?["source"] as? String
            #expect(source == lines.path)
        }

        /// MediaPipe's 33 joints of a scene's first person in every frame, x and y downwards, as a uint16 array.
        private func array(_ scene: SynthScene, _ name: String = "poses.npy") throws -> URL {
            let frames = scene.truth().people[0].frames
            let values = frames.flatMap { frame in
                BlazePoseSkeleton.joints.flatMap { key -> [Double] in
                    guard let joint = frame.keypoints[key.rawValue] else { return [0, 0] }
                    return [min(max(joint.x, 0), 1), min(max(1 - joint.y, 0), 1)]
                }
            }
            let url = folder.file(name)
            try NumpyFile.bytes(values, shape: [frames.count, 33, 2], .uint16).write(to: url)
            return url
        }

        @Test func `an array is counted, charted and reported in every format without a model`() async throws {
            let (file, chart) = (try array(Self.scene), folder.file("chart.svg"))
            let options = ["count", file.path, "--fps", "15", "--aspect", "320/240"]
            let whole = try await bare.run(options + ["--format", "json", "--plot", chart.path])
            #expect(whole.status == 0 && whole.complaint.isEmpty, "\(whole.complaint)")
            let count = try Contract.decode(Contract.Count.self, from: whole.text)
            #expect(count.count == 4 && count.frames == Self.scene.frameCount && count.people.map(\.id) == [1])
            #expect(abs(count.duration - Self.scene.duration) < 1e-5)
            for (one, real) in zip(count.people[0].repetitions, Self.scene.truth().people[0].repetitions) {
                #expect(min(one.end, real.end) - max(one.start, real.start) > 0.6 * (real.end - real.start))
            }
            #expect(try String(contentsOf: chart, encoding: .utf8).contains("<svg"))
            let text = try await bare.run(options)
            #expect(text.lines.first?.hasPrefix("\(file.path): 4 repetitions in ") == true, "\(text.text)")
            let table = try await bare.run(options + ["--format", "csv"])
            #expect(table.lines.first == "id,repetition,start,end,confidence" && table.lines.count == 5)
            let streamed = try await bare.run(options + ["--format", "jsonl"])
            #expect(
                streamed.lines.count == 5 && streamed.lines.dropLast().allSatisfy { $0.hasPrefix("{\"repetition\"") })
            // At twice the rate it is the same in half the time.
            let quick = try await bare.run(["count", file.path, "--fps", "30", "--format", "json"])
            #expect(try Contract.decode(Contract.Count.self, from: quick.text).duration == count.duration / 2)
            let coached = try await bare.run(["coach"] + options.dropFirst() + ["--exercise", "squat"])
            #expect(coached.status == 0 && coached.text.contains("Squat, 4 repetitions"), "\(coached.text)")
        }

        @Test func `a file in which nobody is ends as such a video does`() async throws {
            let file = folder.file("nobody.npy")
            try NumpyFile.bytes([Double](repeating: 0, count: 30 * 66), shape: [30, 33, 2], .uint8).write(to: file)
            for command in ["count", "coach"] {
                let run = try await bare.run([command, file.path])
                #expect(
                    run.status == 2 && run.complaints == ["kinema: \(file.path): no person was found"],
                    "\(run.complaint)")
            }
        }

        @Test func `labels may name pose files and call the truth count`() async throws {
            _ = try array(Self.scene, "four.npy")
            let lines = try await Self.lines(of: Clips.squat.get())
            try FileManager.default.copyItem(at: lines, to: folder.file("one.jsonl"))
            let labels = folder.file("labels.csv")
            try Data("file,type,count\nfour.npy,squat,4\none.jsonl,squat,1\n".utf8).write(to: labels)
            let options = ["evaluate", "count", labels.path, "--fps", "15", "--format"]
            let run = try await bare.run(options + ["csv"])
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            #expect(run.lines.contains { $0.hasPrefix("four.npy,,4,4,4,4,") }, "\(run.text)")
            #expect(run.lines.contains { $0.hasPrefix("one.jsonl,,1,1,1,1,") }, "\(run.text)")
            // Reps go before count.
            try Data("file,count,reps\nfour.npy,9,4\n".utf8).write(to: labels)
            let varied = try await bare.run(options + ["csv", "--varied"])
            #expect(varied.lines.contains { $0.hasPrefix("four.npy,,4,4,4,4,") }, "\(varied.text)")
            #expect(varied.lines.contains { $0.hasPrefix("# mirrored: MAE 0.000") }, "\(varied.text)")
        }

        @Test(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
        func `arrays of others are measured by their own labels`() async throws {
            let labels = SharedData.file("repcount/labels.csv").path
            let run = try await bare.run(["evaluate", "count", labels, "--fps", "15", "--format", "csv"])
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            let rows = run.lines.dropFirst().filter { !$0.hasPrefix("#") }.map { $0.split(separator: ",") }
            #expect(rows.count == 76 && rows.compactMap { $0.count > 2 ? Int($0[1]) : nil }.reduce(0, +) == 1256)
        }

        @Test(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
        func `repetitions in stretched poses count, and the explanation has the solution`() async throws {
            let stretched = SharedData.file("repcount/test135.npy")
            /// The lines of hypotheses of the believed solution with these words.
            func taken(_ poses: URL, _ words: String) async throws -> [Substring] {
                let chart = folder.file("why.jsonl").path
                let run = try await bare.run(
                    ["count", poses.path, "--fps", "15", "--aspect", "1/1", "--explain", chart, "--format", "csv"])
                // Four are labelled.
                #expect(run.status == 0 && run.lines.count == 5, "\(run.text)\(run.complaint)")
                let lines = try String(contentsOfFile: chart, encoding: .utf8).split(separator: "\n")
                return lines.filter { $0.contains("\"isTaken\":true,") && $0.contains(words) }
            }
            #expect(try await taken(stretched, "\"count\":4,").count >= 1)
        }

        @Test func `what cannot be is reported in one line`() async throws {
            let file = try array(Self.scene).path
            let lines = folder.file("t.jsonl").path
            try Data("{\"time\":0,\"people\":[]}\n".utf8).write(to: folder.file("t.jsonl"))
            let clip = try Clips.squat.get().path
            let wrong: [(arguments: [String], words: String)] = [
                ([file, "--fps", "0"], "--fps must be 0.001 to 1000"),
                ([file, "--fps", "nan"], "--fps must be 0.001 to 1000"),
                ([file, "--fps=-15"], "--fps must be 0.001 to 1000"),
                ([file, "--fps", "1001"], "--fps must be 0.001 to 1000"),
                ([file, "--aspect", "0/0"], "--aspect must be two whole numbers from 1 to 65536"),
                ([file, "--aspect", "16"], "--aspect must be two"),
                ([file, "--aspect", "wide/tall"], "--aspect must be two"),
                ([file, "--overlay", "a.mp4"], "--overlay applies to videos and images; a pose file has no frames"),
                ([file, "--model", "posenet:a.tflite"], "--model applies to videos and images"),
                ([file, "--max-people", "2"], "--max-people applies to videos and images"),
                ([file, "--search", "whole"], "--search applies to videos and images"),
                ([file, "--precision", "f32"], "--precision applies to videos and images"),
                ([file, "--raw"], "--raw applies to videos and images"),
                ([file, "--jobs", "2"], "--jobs applies to videos and images"),
                ([file, "--hold"], "--hold applies to videos and images"),
                ([file, "--for", "3"], "--for applies to videos and images"),
                ([file, "--camera-rate", "30"], "--camera-rate applies to videos and images"),
                ([file, "--plot", file + ".pdf"], "--plot needs a file name"),
                ([lines, "--fps", "15"], "--fps applies to files without times; this one has its own"),
                ([clip, "--fps", "15"], "--fps applies to pose files; this input has its own times"),
                ([clip, "--aspect", "4/3"], "--aspect applies to pose files; this input has its own frames"),
                (["camera:lavfi:testsrc", "--fps", "15"], "--fps applies to pose files"),
            ]
            for command in ["count", "coach"] {
                for (arguments, words) in wrong {
                    let run = try await bare.run([command] + arguments)
                    #expect(run.status == 64 && run.complaints.count == 1 && run.text.isEmpty, "\(run.complaint)")
                    #expect(run.complaint.contains(words), "\(arguments): \(run.complaint)")
                }
            }
        }

        @Test func `what a file is comes before the options that do not apply to it`() async throws {
            let clip = try Clips.squat.get()
            let film = folder.file("film.csv")
            try FileManager.default.copyItem(at: clip, to: film)
            for (name, head, words) in [
                ("text.txt", "hello, world\n", "not a video or image, or damaged"),
                ("a.html", "<!DOCTYPE html>\n", "is a page of HTML, which cannot be read"),
                ("sign-in.csv", "<!DOCTYPE html>\n<html></html>\n", "is a page of HTML, which cannot be read"),
                (
                    "fetch.npy", "version https://git-lfs.github.com/spec/v1\n",
                    "is a pointer of Git LFS (git lfs pull fetches the file)"
                ),
            ] {
                try Data(head.utf8).write(to: folder.file(name))
                for options in [[], ["--fps", "30"], ["--aspect", "16/9"]] {
                    let run = try await Program().run(["count", folder.file(name).path] + options)
                    #expect(run.status == 65 && run.complaint.contains(words), "\(name) \(options): \(run.complaint)")
                    #expect(run.complaints.count == 1)
                }
            }
            // A video is one whatever its name, and then the option is refused.
            let refused = try await Program().run(["count", film.path, "--fps", "30"])
            #expect(refused.status == 64 && refused.complaint.contains("--fps applies to pose files"))
            let counted = try await Program().run(["count", film.path, "--format", "json"])
            #expect(counted.status == 0, "\(counted.complaint)")
        }

        @Test func `a damaged file is unreadable in one line`() async throws {
            let bytes = try Data(contentsOf: try array(Self.scene))
            func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
                try Data(bytes).write(to: folder.file(name))
                return folder.file(name).path
            }
            let line = "{\"time\":0,\"people\":[]}\n"
            for (path, words) in [
                (try file("half.npy", bytes.prefix(bytes.count / 2)), "cut short"),
                (try file("text.npy", "no array at all".utf8), "is not a NumPy array"),
                (try file("empty.npy", []), "is not a NumPy array"),
                (try file("shape.npy", NumpyFile.bytes([0.5, 0.5], shape: [1, 1, 2])), "has the shape [1, 1, 2]"),
                (try file("half.jsonl", (line + "{\"time\":1,\"peop\n").utf8), "line 2 is not a line of kinema pose"),
                (try file("back.jsonl", (line + line).utf8), "line 2 has the time 0.0 s, which is not after"),
                (try file("empty.jsonl", []), "contains no frames"),
                (try file("text.csv", "a,b\nc,d\n".utf8), "line 2 does not contain x, y, confidence"),
                (try file("list.json", "{}".utf8), "is not a list of frames"),
                (try file("half.npy.gz", [0x1F, 0x8B, 8, 0]), "is damaged or cut short"),
                (folder.file("missing.npy").path, "no such file"),
            ] {
                for command in ["count", "coach"] {
                    let run = try await bare.run([command, path])
                    #expect(run.status == 65 && run.complaints.count == 1 && run.text.isEmpty, "\(run.complaint)")
                    #expect(
                        run.complaint.hasPrefix("kinema: \(path): ") && run.complaint.contains(words),
                        "\(run.complaint)")
                }
            }
            // Labels that name a broken file end with its line.
            _ = try file("labels.csv", "file,count\nhalf.npy,3\n".utf8)
            let run = try await bare.run(["evaluate", "count", folder.file("labels.csv").path])
            #expect(
                run.status == 65 && run.complaints.count == 1 && run.complaint.contains("half.npy: "),
                "\(run.complaint)")
            _ = try file("labels.csv", "file,number\nhalf.npy,3\n".utf8)
            let column = try await bare.run(["evaluate", "count", folder.file("labels.csv").path])
            #expect(column.status == 65 && column.complaint.contains("has no column reps"), "\(column.complaint)")
        }

        @Test(arguments: ["cat \"$1\" | $kinema", "gzip -c \"$1\" | $kinema", "$kinema"])
        func `poses come on standard input too, and under any name`(start: String) async throws {
            let file = try array(Self.scene, "poses").path
            for command in ["count", "coach --exercise squat"] {
                let named = try await bare.run(command.split(separator: " ").map(String.init) + [file, "--fps", "15"])
                let piped = try await Program.shell(
                    "\(start) \(command) - --fps 15 \(start.contains("|") ? "" : "< \"$1\"")", file)
                #expect(piped.status == 0 && piped.complaint.isEmpty, "\(piped.complaint)")
                #expect(named.lines.count > 4 && piped.lines.dropFirst().elementsEqual(named.lines.dropFirst()))
                #expect(piped.lines.first?.hasPrefix("-: ") == true, "\(piped.text)")
                #expect(piped.lines.last == "33 joints read as MediaPipe's; x and y as fractions of the frame")
            }
        }

        @Test func `a pose file that was cut off is counted to there with a warning`() async throws {
            let lines = try await Self.lines(of: Clips.squat.get())
            let cut = folder.file("cut.jsonl")
            let bytes = try Data(contentsOf: lines)
            try bytes.prefix(bytes.count * 9 / 10).write(to: cut)
            let run = try await bare.run(["count", cut.path, "--format", "json"])
            #expect(run.status == 0, "\(run.complaint)")
            #expect(run.complaints.count == 1 && run.complaint.contains("the file ends early; everything before"))
            #expect(try Contract.decode(Contract.Count.self, from: run.text).frames > 10)
        }

        @Test(.enabled(if: SharedData.isPresent, "needs the recordings; KINEMA_SHARED says where they lie"))
        func `depth is no confidence`() async throws {
            for name in ["h36m_mm.npy", "kinect25_m.npy"] {
                let path = SharedData.file("mend/\(name)").path
                for command in ["count", "coach"] {
                    let run = try await bare.run([command, path])
                    #expect(run.status == 65 && run.text.isEmpty && run.complaints.count == 1, "\(run.complaint)")
                    #expect(run.complaint.contains("joints with x, y and a depth that lie"), "\(run.complaint)")
                }
            }
        }
    }
}
