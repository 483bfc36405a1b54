import Foundation
import KinemaCore
import KinemaDraw
import KinemaMedia
import KinemaTestSupport
import Testing

@testable import KinemaSynth

private let models = SharedData.folder.appending(path: "models/posenet")

extension CommandTests {
    /// PoseNet in place of BlazePose, in every command that looks for bodies.
    @Suite(
        .enabled(
            if: FileManager.default.fileExists(atPath: models.path),
            "needs the PoseNet models; KINEMA_SHARED says where they lie"))
    struct PoseNetCommandTests {
        private let picture = models.appending(path: "test_couple.jpg").path
        private let model = "posenet:" + models.appending(path: "posenet_mobilenet_v1_075_353_481_quant.tflite").path
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        @Test func `a picture gives every format and an overlay`() async throws {
            let overlay = folder.file("couple.png")
            let run = try await Program.run(
                "pose", picture, "--model", model, "--format", "jsonl", "--overlay", overlay.path)
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            let frame = try Contract.decode(Contract.Frame.self, from: run.text)
            #expect(frame.people.map(\.id) == [1, 2])
            #expect(frame.people.allSatisfy { $0.keypoints.count == 19 && $0.keypoints3D.isEmpty })
            // He is at the left; the drawing is in the people's colours.
            let noses = frame.people.compactMap { $0.keypoints["nose"]?.first }
            #expect(abs(noses[0] - 0.423) < 0.005 && abs(noses[1] - 0.536) < 0.005, "\(noses)")
            let drawn = try ImageReader.read(contentsOf: overlay).bitmap()
            let shoulder = try #require(frame.people[0].keypoints["leftShoulder"])
            let pixel = drawn[Int(shoulder[0] * 1920) + 7, Int((1 - shoulder[1]) * 1278)]
            let color = Color.person(1)
            #expect(abs(Double(pixel.red) - color.red * 255) < 40 && abs(Double(pixel.green) - color.green * 255) < 40)

            let table = try await Program.run("pose", picture, "--model", model, "--format", "csv")
            #expect(table.status == 0 && table.lines.count == 3)
            let text = try await Program.run("pose", picture, "--model", model)
            #expect(text.status == 0 && text.lines.count == 3, "\(text.text)")
            let json = try await Program.run("pose", picture, "--model", model, "--format", "json")
            #expect(try Contract.decode(Contract.Poses.self, from: json.text).frames.first?.people.count == 2)
        }

        @Test func `a video of the picture keeps numbers and exports`() async throws {
            let clip = folder.file("couple.mp4")
            try Tool.ffmpeg("-loop 1 -i \(picture) -vf scale=640:426 -r 10 -frames:v 12 -pix_fmt yuv420p", clip)
            let coco = folder.file("couple.json")
            let run = try await Program.run(
                "pose", clip.path, "--model", model, "--format", "jsonl", "--export", "coco", "--output", coco.path,
                "--overlay", folder.file("couple-overlay.mp4").path)
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            let frames = try run.lines.map { try Contract.decode(Contract.Frame.self, from: $0) }
            #expect(frames.count == 12 && frames.allSatisfy { $0.people.map(\.id) == [1, 2] })
            #expect(try Data(contentsOf: coco).count > 10_000)
            #expect(try await Clips.frames(of: folder.file("couple-overlay.mp4")).count == 12)
        }

        @Test func `one person when one is looked for`() async throws {
            for options in [["--algorithm", "single"], ["--max-people", "1"]] {
                let run = try await Program().run(["pose", picture, "--model", model, "--format", "jsonl"] + options)
                #expect(try Contract.decode(Contract.Frame.self, from: run.text).people.count == 1, "\(options)")
            }
        }

        @Test func `what makes no sense is reported in one line`() async throws {
            let cases: [([String], Int32, String)] = [
                (["--model", "posenet"], 64, "--model posenet:FILE"),
                (["--model", model, "--hands", "--no-bodies"], 64, "--no-bodies"),
                (["--model", model, "--search", "parts"], 64, "--search"),
                (["--model", model, "--hold"], 64, "--hold requires blazepose"),
                (["--model", model, "--export", "trc", "--output", folder.file("a.trc").path], 64, "depth"),
                (["--algorithm", "single"], 64, "--model posenet:FILE"),
                (["--joint-threshold", "0.2"], 64, "--joint-threshold requires --model posenet:FILE"),
                (["--model", model, "--pose-threshold", "2"], 64, "--pose-threshold must be 0 to 1"),
                (["--model", model, "--max-poses", "0"], 64, "--max-poses must be 1 to 100"),
                (["--model", "posenet:" + folder.file("none.tflite").path], 65, "none.tflite: no such file"),
                (["--model", "posenet:" + folder.url.path], 65, "is not a file"),
                (["--model", "posenet:" + picture], 65, "not a TensorFlow Lite model"),
            ]
            for (options, status, words) in cases {
                let run = try await Program().run(["pose", picture] + options)
                #expect(run.status == status && run.output.isEmpty, "\(options)")
                #expect(run.complaints.count == 1 && run.complaint.contains(words), "\(run.complaint)")
            }
            let other = try await Program.run("pose", picture, "--model", "movenet")
            #expect(other.status == 64 && other.complaint.contains("movenet"))
        }

        @Test func `a clip is counted and coached with PoseNet, by each command and in a batch`() async throws {
            let clip = SharedData.file("repetitions/front_raise2.mp4").path
            let count = try await Program.run("count", clip, "--model", model, "--format", "json")
            #expect(count.status == 0 && count.complaint.isEmpty, "\(count.complaint)")
            #expect(try Contract.decode(Contract.Count.self, from: count.text).count == 2, "\(count.text)")
            let coach = try await Program.run("coach", clip, "--model", model)
            #expect(coach.status == 0 && coach.text.contains("Front raise, 2 repetitions"), "\(coach.text)")
            let out = folder.file("out")
            let batch = try await Program.run("batch", clip, "-o", out.path, "--", "--model", model)
            let result = try String(contentsOf: out.appending(path: "front_raise2.mp4.json"), encoding: .utf8)
            #expect(batch.status == 0 && result.contains(#""count":2"#), "\(batch.complaint)")
        }

        @Test func `each threshold of the pose builder changes who is found`() async throws {
            func people(_ options: String...) async throws -> [Contract.Person] {
                let run = try await Program().run(["pose", picture, "--model", model, "--format", "jsonl"] + options)
                return run.status == 2 ? [] : try Contract.decode(Contract.Frame.self, from: run.text).people
            }
            let usual = try await people()
            #expect(usual.count == 2)
            #expect(try await people("--pose-threshold", "0.99").isEmpty)
            #expect(try await people("--max-poses", "1").count == 1)
            // Nothing else is sure enough to be of the same person.
            let sure = try await people("--joint-threshold", "0.9", "--pose-threshold", "0.1")
            #expect(sure.first?.confidence ?? 0 < usual[0].confidence)
            // All joints within reach of each other are those of one person.
            #expect(try await people("--matching-joint-distance", "10000").count == 1)
            #expect(try await people("--refinement-steps", "0").first?.keypoints != usual.first?.keypoints)
            #expect(try await people("--local-search-radius", "100").count <= 2)
        }

        @Test func `a classifier is trained and asked with PoseNet`() async throws {
            let settings = SynthScene.Settings(width: 640, height: 480, frameRate: FrameRate(timescale: 15))
            var table = "file,label\n"
            for (movement, name) in [(Movement.squat, "squat"), (.jumpingJack, "jack")] {
                for seed in UInt64(1)...2 {
                    let scene = SynthScene.exercise(
                        movement, repetitions: 2, seed: seed, view: .front, secondsPerRepetition: 1.6,
                        settings: settings)
                    try RenderedVideo.write(scene, to: folder.file("\(name)\(seed).mp4"))
                    table += "\(name)\(seed).mp4,\(name)\n"
                }
            }
            let (labels, classifier) = (folder.file("labels.csv"), folder.file("m.kinema").path)
            try Data(table.utf8).write(to: labels)
            let trained = try await Program.run(
                "train", labels.path, "-o", classifier, "--model", model, "--pose-threshold", "0.2",
                "--window", "30", "--rate", "15")
            #expect(trained.status == 0, "\(trained.complaint)")
            let named = try await Program.run(
                "classify", folder.file("jack1.mp4").path, "--classifier", classifier, "--model", model,
                "--pose-threshold", "0.2", "--format", "csv")
            #expect(named.status == 0 && named.lines.dropFirst().contains { $0.contains(",jack,") }, "\(named.text)")
        }

        @Test func `the studio refuses a model that is none before it serves`() async throws {
            let run = try await Program.run("studio", "--port", "0", "--model", "posenet:" + picture)
            #expect(run.status == 65 && run.complaints.count == 1, "\(run.complaint)")
            let odd = try await Program.run("studio", "--port", "0", "--algorithm", "single")
            #expect(odd.status == 64 && odd.complaint.contains("--algorithm requires --model posenet:FILE"))
        }

        @Test func `BlazePose is the default`() async throws {
            let clip = try Clips.squat.get().path
            let plain = try await Program.run("pose", clip, "--format", "csv")
            let named = try await Program.run("pose", clip, "--format", "csv", "--model", "blazepose")
            #expect(plain.status == 0 && plain.text == named.text)
        }
    }
}
