import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

extension CommandTests {
    /// `kinema models list`, `fetch` and `check`.
    struct ModelsCommandTests {
        private static let published = SharedData.folder.appending(path: "models/more")

        private static let real =
            ProcessInfo.processInfo.environment["KINEMA_HOME"].map { URL(filePath: $0) }
            ?? SharedData.package.appending(path: ".kinema")

        /// A home with the real inference library and no other models than those fetched into it.
        private func home(_ folder: TemporaryFolder) throws -> Program {
            try FileManager.default.createSymbolicLink(
                at: folder.file("openvino"), withDestinationURL: Self.real.appending(path: "openvino"))
            return Program(environment: ["KINEMA_HOME": folder.url.path])
        }

        @Test(.enabled(if: SharedData.isPresent, "the models are absent"))
        func `a pair is taken from a copy, listed, checked and used by its name`() async throws {
            let folder = try TemporaryFolder()
            let program = try home(folder)
            let before = try await program.run(["models", "--format", "csv"])
            #expect(before.lines.contains { $0.hasPrefix("tinypose-256x192,") && $0.contains(",false,") })
            let fetched = try await program.run(["models", "fetch", "tinypose-256x192", "--from", Self.published.path])
            #expect(fetched.status == 0, "\(fetched.complaint)")
            #expect(fetched.lines.last == "use it with --model tinypose-256x192")
            let after = try await program.run(["models", "--bench", "--format", "csv"])
            for name in ["tinypose-256x192", "picodet-s-320"] {
                let fields = try #require(after.lines.first { $0.hasPrefix(name + ",") }).split(separator: ",")
                #expect(fields.contains("true") && (Double(fields.last ?? "") ?? 0) > 0, "\(fields)")
            }
            // A licence is a text of whoever made the model.
            let own = folder.file("models/mine")
            try FileManager.default.copyItem(at: folder.file("models/tinypose-256x192"), to: own)
            let description = own.appending(path: "model.json")
            let text = try String(contentsOf: description, encoding: .utf8)
                .replacing(try Regex(#""name"\s*:\s*"[^"]*""#), with: #""name":"mine""#)
                .replacing(try Regex(#""licence"\s*:\s*"[^"]*""#), with: #""licence":"=1+1, \"free\"""#)
            try text.write(to: description, atomically: true, encoding: .utf8)
            let rows = try await program.run(["models", "--format", "csv"]).lines
            #expect(rows.contains { $0.hasPrefix("mine,") && $0.contains(#","'=1+1, ""free""","#) }, "\(rows)")
            let check = try await program.run(["models", "check", "tinypose-256x192"])
            #expect(check.status == 0 && check.text.contains("top-down, heatmap (described)"), "\(check.text)")
            let picture = SharedData.folder.appending(path: "models/posenet/test_couple.jpg")
            let poses = try await program.run([
                "pose", picture.path, "--model", "tinypose-256x192", "--format", "jsonl",
            ])
            #expect(poses.status == 0, "\(poses.complaint)")
            struct Frame: Decodable {
                struct Person: Decodable { var confidence: Double }
                var people: [Person]
            }
            let frame = try Contract.decode(Frame.self, from: poses.lines.first ?? "")
            #expect(frame.people.count { $0.confidence > 0.5 } == 2)
        }

        @Test(.enabled(if: SharedData.isPresent, "the models are absent"))
        func `a crowd is reported, and auto reads it with the pair and one person with the built-in model`()
            async throws
        {
            let folder = try TemporaryFolder()
            let program = try home(folder)
            let models = folder.file("models")
            try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
            let real = Self.real.appending(path: "models")
            for name in try FileManager.default.contentsOfDirectory(atPath: real.path) where name.hasSuffix(".tflite") {
                try FileManager.default.createSymbolicLink(
                    at: models.appending(path: name), withDestinationURL: real.appending(path: name))
            }
            let (crowd, alone) = (folder.file("crowd.mp4").path, folder.file("alone.mp4").path)
            for words in [
                ["crowd", "--people", "8", "--seconds", "1", "--frame-rate", "10", "-o", crowd],
                ["squat", "--repetitions", "1", "--size", "320x240", "--frame-rate", "10", "-o", alone],
            ] {
                let made = try await program.run(["synth", "--scene"] + words)
                #expect(made.status == 0, "\(made.complaint)")
            }
            func complaint(_ file: String, _ options: String...) async throws -> String {
                let run = try await program.run(["pose", file, "--format", "csv"] + options)
                #expect(run.status == 0, "\(run.complaint)")
                return run.complaint
            }
            for options in [[], ["--model", "auto"]] {
                let run = try await program.run(["pose", crowd, "--format", "csv"] + options)
                let fetch = "kinema models fetch tinypose-256x192, which --model auto then uses"
                #expect(run.complaints.count { $0.contains(fetch) } == 1)
            }
            #expect(try await complaint(alone).isEmpty)
            // On a live input auto is the built-in model.
            let camera = "camera:lavfi:movie=\(crowd)"
            let live = try await complaint(camera)
            #expect(live.contains("\(camera): up to "), "\(live)")
            #expect(live.contains("kinema models fetch tinypose-256x192, then use --model tinypose-256x192"), "\(live)")
            let fetched = try await program.run(["models", "fetch", "tinypose-256x192", "--from", Self.published.path])
            #expect(fetched.status == 0, "\(fetched.complaint)")
            #expect(try await complaint(crowd).contains("misses people in crowds: use --model auto"))
            let lines = try await complaint(camera, "--model", "auto").split(separator: "\n")
            let chosen = "\(camera): --model auto reads cameras and streams with blazepose"
            #expect(lines.count { $0.hasSuffix(chosen) } == 1)
            #expect(lines.count { $0.hasSuffix(": use --model tinypose-256x192") } == 1, "\(lines)")
            #expect(try await complaint(crowd, "--model", "auto").contains("at once: analysed with tinypose-256x192"))
            #expect(try await complaint(alone, "--model", "auto").contains("1 person at once: analysed with blazepose"))
            let picture = SharedData.folder.appending(path: "models/posenet/test_couple.jpg").path
            #expect(try await complaint(picture, "--model", "auto").contains("2 people at once: analysed with tiny"))
        }

        @Test(.enabled(if: SharedData.isPresent, "the models are absent"))
        func `an interrupted download is resumed, and one with other bytes is removed`() async throws {
            let folder = try TemporaryFolder()
            var program = try home(folder)
            // A curl that gives half a file, then the rest from where the first call stopped, then wrong bytes.
            let file = Self.published.appending(path: "rtmdet-nano_zli20.onnx").path
            let curl = """
                #!/bin/sh
                while [ $# -gt 0 ]; do case $1 in --output) part=$2; shift ;; esac; last=$1; shift; done
                echo "$last" >> "$KINEMA_HOME/asked"
                if [ -e "$KINEMA_HOME/wrong" ]; then head -c 4038157 /dev/zero > "$part"; exit 0; fi
                if [ -e "$part" ]; then had=$(stat -c %s "$part"); tail -c +$((had + 1)) '\(file)' >> "$part"; exit 0; fi
                head -c 2000000 '\(file)' > "$part"; echo "curl: (18) transfer closed" >&2; exit 18
                """
            try Data(curl.utf8).write(to: folder.file("curl"))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.file("curl").path)
            program.environment["PATH"] = "\(folder.url.path):/usr/bin:/bin"
            let words = ["models", "fetch", "rtmdet-nano"]
            let broken = try await program.run(words)
            #expect(broken.status == 1 && broken.complaints.count == 1, "\(broken.complaint)")
            #expect(broken.complaint.contains("transfer closed") && broken.complaint.contains("--from"))
            #expect(try await program.run(["models", "check", "rtmdet-nano"]).status == 64)
            let whole = try await program.run(words)
            #expect(whole.status == 0, "\(whole.complaint)")
            #expect(try await program.run(["models", "check", "rtmdet-nano"]).status == 0)
            let asked = try String(contentsOf: folder.file("asked"), encoding: .utf8).split(separator: "\n")
            #expect(
                asked.count == 2 && asked.allSatisfy { $0.hasPrefix("https://") && $0.hasSuffix("rtmdet_nano.onnx") })

            try FileManager.default.removeItem(at: folder.file("models"))
            try Data().write(to: folder.file("wrong"))
            let wrong = try await program.run(words)
            #expect(wrong.status == 65 && wrong.complaint.contains("SHA-256 differs"), "\(wrong.complaint)")
            #expect(!FileManager.default.fileExists(atPath: folder.file("models/rtmdet-nano").path))
        }

        @Test func `what cannot be fetched or is no model is one line`() async throws {
            let folder = try TemporaryFolder()
            let program = try home(folder)
            let unknown = try await program.run(["models", "fetch", "no\u{1b}[31msuch"])
            #expect(unknown.status == 64 && unknown.complaints.count == 1, "\(unknown.complaint)")
            #expect(unknown.complaint.contains("picodet-s-320") && !unknown.complaint.contains("\u{1b}"))
            for (place, words) in [(folder.url, "4038157 bytes"), (folder.file("gone"), "no such file or folder")] {
                let fetched = try await program.run(["models", "fetch", "rtmdet-nano", "--from", place.path])
                #expect(fetched.status == 65 && fetched.complaint.contains(words), "\(fetched.complaint)")
                #expect(!FileManager.default.fileExists(atPath: folder.file("models/rtmdet-nano").path))
            }
            let absent = try await program.run(["models", "check", "tinypose-256x192"])
            #expect(absent.status == 64 && absent.complaint.contains("kinema models fetch tinypose-256x192"))
            for bad in [
                SharedData.package.appending(path: "README.md").path, folder.file("absent.onnx").path, "/dev/zero",
            ] {
                let check = try await program.run(["models", "check", bad])
                #expect(check.status == 65 && check.complaints.count == 1, "\(check.complaint)")
            }
        }
    }
}
