import Foundation
import KinemaTestSupport
import Testing

@testable import KinemaSynth

extension CommandTests {
    /// A file beside the results that cannot be written costs nobody the results, and leaves no half of itself.
    struct SideFileTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        /// Runs in the folder on a full disk, for which the limit on a file's size stands: nothing above 1 KiB can be
        /// written. Standard output is a pipe, which has no limit.
        private func onFullDisk(_ words: String) async throws -> Program.Outcome {
            try await Program.shell(
                """
                cd "$1"; (ulimit -f 1; exec env --default-signal=XFSZ "$kinema" \(words)) | cat; exit "${PIPESTATUS[0]}"
                """, folder.url.path)
        }

        private func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        }

        /// The poses of a squat, found once.
        private static let poses = Result {
            try Clips.folder.get().file("squat.jsonl")
        }

        private func poses() async throws {
            let place = try Self.poses.get()
            if !FileManager.default.fileExists(atPath: place.path) {
                let run = try await Program().run(["pose", try Clips.squat.get().path, "--format", "jsonl"])
                try run.output.write(to: place)
            }
            try FileManager.default.copyItem(at: place, to: folder.file("poses.jsonl"))
        }

        /// A hand that opens and closes, a second long.
        private func hands() throws {
            let frames = (0..<30).map { frame -> [[Double]] in
                let lift = Double(frame % 10) * 0.002
                return (0..<21).map { joint -> [Double] in
                    let (finger, knuckle) = (Double(joint % 4), Double(joint / 4))
                    return [0.4 + finger * 0.03, 0.3 + knuckle * 0.04 + lift, 0.9]
                }
            }
            try JSONEncoder().encode(frames).write(to: folder.file("hands.json"))
        }

        /// A ball that flies through the picture.
        private func ball() throws {
            try Tool.ffmpeg(
                "-f lavfi -i color=gray:size=320x240:rate=30:duration=2 -f lavfi -i color=white:size=12x12:rate=30:duration=2 "
                    + "-filter_complex overlay=x=20+140*t:y=200-300*t+150*t*t -pix_fmt yuv420p",
                folder.file("ball.mp4"))
        }

        @Test(arguments: [
            ("count poses.jsonl --format json --plot", "x.svg"), ("count poses.jsonl --format json --plot", "x.png"),
            ("count poses.jsonl --format json --explain", "x.jsonl"),
            ("count poses.jsonl --format json --explain", "x.svg"),
            ("coach poses.jsonl --exercise squat --format json --plot", "x.svg"),
            ("gesture hands.json --format json --explain", "x.jsonl"),
            ("trajectories ball.mp4 --format json --explain", "x.jsonl"),
        ]) func `a full disk leaves the results and no half of a file`(words: String, file: String) async throws {
            if words.contains("poses") { try await poses() }
            if words.contains("hands") { try hands() }
            if words.contains("ball") { try ball() }
            let before = try names()
            let run = try await onFullDisk("\(words) \(file)")
            #expect(run.status == 1, "\(run.complaint)")
            // Besides, it may be said that a video is decoded without a sandbox under such a limit.
            let errors = run.complaints.filter { $0.hasPrefix("kinema: ") }
            #expect(
                errors.count == 1 && errors[0].contains("\(file): ") && errors[0].contains("ulimit -f"),
                "\(run.complaint)")
            #expect(try JSONSerialization.jsonObject(with: run.output) is [String: Any], "\(run.text)")
            #expect(try names() == before)
        }

        @Test(arguments: Sweep.of(["csv", "coco", "openpose", "trc"], or: ["coco", "openpose"]))
        func `a full disk under an export leaves the results and nothing of the export`(format: String) async throws {
            try FileManager.default.copyItem(at: Clips.pair.get(), to: folder.file("clip.mp4"))
            // The disk fills up when the first frame is printed: before, the models may want room.
            let run = try await Program.shell(
                """
                cd "$1"; mkfifo pipe; cat <pipe >out & copy=$!
                env --default-signal=XFSZ "$kinema" pose clip.mp4 --format jsonl --export \(format) --output x >pipe & pid=$!
                until [ -s out ]; do sleep 0.01; done
                prlimit --fsize=1024 --pid $pid; wait $pid; status=$?; wait $copy; cat out; rm out pipe; exit $status
                """, folder.url.path)
            #expect(run.status == 1 && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.lines.count == Clips.pairScene.frameCount)
            #expect(try names() == ["clip.mp4"])
        }

        /// `/dev/full` is a device on which there is never room.
        @Test func `one file that cannot be written does not affect the others`() async throws {
            try await poses()
            try FileManager.default.createSymbolicLink(
                at: folder.file("full.svg"), withDestinationURL: URL(filePath: "/dev/full"))
            var program = Program()
            program.folder = folder.url
            let run = try await program.run([
                "count", "poses.jsonl", "--format", "json", "--plot", "full.svg", "--explain", "why.jsonl",
            ])
            #expect(run.status == 1 && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.contains("full.svg: the disk is full"), "\(run.complaint)")
            #expect(try Contract.decode(Contract.Count.self, from: run.text).count == 1)
            let why = try String(contentsOf: folder.file("why.jsonl"), encoding: .utf8)
            #expect(why.hasSuffix("}\n"))
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("full.svg").path) == "/dev/full")
        }

        private static let sideFiles = [
            ("toss", "full.svg", ["--board", "0.8,0.1,0.15,0.1", "--plot", "full.svg"]),
            ("gesture", "full.svg", ["--drawing", "full.svg"]), ("count", "full.mp4", ["--overlay", "full.mp4"]),
            ("pose", "full.jpg", ["--overlay", "full.jpg"]), ("pose", "full.json", ["--track-report", "full.json"]),
        ]

        @Test(arguments: Sweep.of(sideFiles, or: Array(sideFiles[1...2])))
        func `a device without room leaves the results`(command: String, file: String, options: [String])
            async throws
        {
            try FileManager.default.createSymbolicLink(
                at: folder.file(file), withDestinationURL: URL(filePath: "/dev/full"))
            var program = Program()
            program.folder = folder.url
            let run = try await program.run([command, try Clips.squat.get().path, "--format", "json"] + options)
            #expect(run.status == 1 && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.contains("\(file): the disk is full"), "\(run.complaint)")
            #expect(try JSONSerialization.jsonObject(with: run.output) is [String: Any], "\(run.text)")
            #expect(try names() == [file])
        }

        @Test func `results whose reader has gone cost no file`() async throws {
            try await poses()
            let run = try await Program.shell(
                #"cd "$1"; (sleep 0.5; exec "$kinema" count poses.jsonl --plot x.svg) | true; exit "${PIPESTATUS[0]}""#,
                folder.url.path)
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            #expect(try String(contentsOf: folder.file("x.svg"), encoding: .utf8).hasSuffix("</svg>\n"))
        }
    }
}
