import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

extension CommandTests {
    /// Whatever a command reads whole, it refuses in one line what is no file: devices without end, pipes that nobody
    /// writes to, folders, and files beyond the limit.
    struct NoFileTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        private func refused(_ words: String, _ path: String, _ arguments: [String]) async throws {
            let run = try await Program().run(arguments)
            #expect(run.status == 65 && run.complaints.count == 1, "\(arguments) \(run.complaint)")
            #expect(run.complaint.hasPrefix("kinema: \(path): \(words)"), "\(arguments) \(run.complaint)")
        }

        @Test(arguments: [
            (["evaluate", "count", "X"], "csv"), (["evaluate", "gesture", "X"], "csv"),
            (["evaluate", "measure", "X", "X"], "mot"),
            (["train", "X", "-o", "model.kinema"], "csv"), (["count", "X"], "npy"), (["coach", "X"], "jsonl"),
            (["classify", "CLIP", "--classifier", "X"], "kinema"), (["coach", "CLIP", "--exercise", "X"], "json"),
            (["pose", "CLIP", "--track-report", "report.json", "--track-truth", "X"], "json"),
            (["models", "check", "X"], "onnx"), (["models", "check", "X"], "json"),
            (["pose", "CLIP", "--model", "posenet:X"], "tflite"),
        ]) func `a device without end and a pipe without a writer are refused`(
            words: [String], ending: String
        ) async throws {
            let (zero, pipe) = (folder.file("zero.\(ending)"), folder.file("pipe.\(ending)"))
            try FileManager.default.createSymbolicLink(at: zero, withDestinationURL: URL(filePath: "/dev/zero"))
            #expect(mkfifo(pipe.path, 0o600) == 0)
            let clip = try Clips.squat.get().path
            for url in [zero, pipe] {
                let arguments = words.map { word in
                    switch word {
                    case "CLIP": clip
                    case "model.kinema", "report.json": folder.file(word).path
                    default: word.replacing("X", with: url.path)
                    }
                }
                try await refused("is not a file", url.path, arguments)
            }
        }

        @Test func `folders and files beyond the limit are refused`() async throws {
            try FileManager.default.createDirectory(at: folder.file("labels.csv"), withIntermediateDirectories: true)
            let labels = folder.file("labels.csv").path
            try await refused("is not a file", labels, ["evaluate", "count", labels])
            let large = folder.file("large.csv")
            try Data("file,reps\n".utf8).write(to: large)
            #expect(truncate(large.path, off_t((16 << 20) + 1)) == 0)
            try await refused("is larger than 16 MiB", large.path, ["evaluate", "count", large.path])
        }
    }
}
