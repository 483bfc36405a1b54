import Foundation
import KinemaCore
import KinemaDraw
import KinemaMedia
import KinemaTestSupport
import Testing

private let models = SharedData.folder.appending(path: "models/posenet")

extension CommandTests {
    /// `kinema pose --model posenet:FILE`.
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

        @Test func aPictureGivesEveryFormatAndAnOverlay() async throws {
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

        @Test func aVideoOfThePictureKeepsNumbersAndExports() async throws {
            let clip = folder.file("couple.mp4")
            try Clips.ffmpeg("-loop 1 -i \(picture) -vf scale=640:426 -r 10 -frames:v 12 -pix_fmt yuv420p", clip)
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

        @Test func onePersonWhenOneIsLookedFor() async throws {
            for options in [["--algorithm", "single"], ["--max-people", "1"]] {
                let run = try await Program().run(["pose", picture, "--model", model, "--format", "jsonl"] + options)
                #expect(try Contract.decode(Contract.Frame.self, from: run.text).people.count == 1, "\(options)")
            }
        }

        @Test func whatMakesNoSenseIsToldInOneLine() async throws {
            let cases: [([String], Int32, String)] = [
                (["--model", "posenet"], 64, "--model posenet:FILE"),
                (["--model", model, "--hands", "--no-bodies"], 64, "--no-bodies"),
                (["--model", model, "--search", "parts"], 64, "--search"),
                (["--model", model, "--exact"], 64, "--exact"),
                (["--model", model, "--export", "trc", "--output", folder.file("a.trc").path], 64, "depth"),
                (["--algorithm", "single"], 64, "--model posenet:FILE"),
                (["--model", "posenet:" + folder.file("none.tflite").path], 65, "none.tflite: no such file"),
                (["--model", "posenet:" + folder.url.path], 65, "is not a file"),
                (["--model", "posenet:" + picture], 65, "no TensorFlow Lite model"),
            ]
            for (options, status, words) in cases {
                let run = try await Program().run(["pose", picture] + options)
                #expect(run.status == status && run.output.isEmpty, "\(options)")
                #expect(run.complaints.count == 1 && run.complaint.contains(words), "\(run.complaint)")
            }
            let other = try await Program.run("pose", picture, "--model", "movenet")
            #expect(other.status == 64 && other.complaint.contains("movenet"))
        }

        @Test func blazePoseIsTheDefault() async throws {
            let clip = try Clips.squat.get().path
            let plain = try await Program.run("pose", clip, "--format", "csv")
            let named = try await Program.run("pose", clip, "--format", "csv", "--model", "blazepose")
            #expect(plain.status == 0 && plain.text == named.text)
        }
    }
}
