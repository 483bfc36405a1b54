import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

extension CommandTests {
    /// `kinema doctor`, `kinema models`, help and wrong usage.
    struct SystemCommandTests {
        private static let commands = [
            ["pose"], ["count"], ["evaluate"], ["evaluate", "count"], ["synth"], ["demo"], ["doctor"], ["models"], [],
        ]

        @Test func `the doctor finds everything here`() async throws {
            let run = try await Program.run("doctor")
            #expect(run.status == 0, "run script/bootstrap: \(run.text)")
            #expect(run.lines.count == 14 && run.lines.allSatisfy { $0.hasPrefix("ok ") }, "\(run.text)")
            struct Finding: Decodable { var ok: Bool, detail: String }
            let json = try await Program.run("doctor", "--format", "json")
            let findings = try Contract.decode([String: Finding].self, from: json.text)
            #expect(
                Set(findings.keys)
                    == [
                        "machine", "home", "openvino", "body-detector", "body-landmarks", "palm-detector",
                        "hand-landmarks", "face-detector", "near-face-detector",
                        "speed", "ffmpeg", "sandbox", "h264-encoder", "cameras",
                    ])
            #expect(findings.values.allSatisfy { $0.ok })
            let speed = try #require(findings["speed"]).detail
            #expect(speed.contains(/^(f32|automatic \(.+\)) is quickest: .*f32 [0-9.]+ ms/), "\(speed)")
        }

        @Test func `the doctor names the command that mends`() async throws {
            let empty = try TemporaryFolder()
            let run = try await Program(environment: ["KINEMA_HOME": empty.url.path]).run(["doctor"])
            #expect(run.status == 1)
            let missing = run.lines.filter { $0.hasPrefix("MISSING") }
            #expect(missing.count == 7 && missing.allSatisfy { $0.contains("script/bootstrap") }, "\(run.text)")
        }

        @Test func `without models one line names the command that mends`() async throws {
            let empty = try TemporaryFolder()
            let run = try await Program(environment: ["KINEMA_HOME": empty.url.path]).run(
                ["pose", Clips.squat.get().path])
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(run.complaints.count == 1 && run.complaint.contains("script/bootstrap"), "\(run.complaint)")
        }

        @Test func `a wrong model file is refused`() async throws {
            let home = try TemporaryFolder()
            let real =
                ProcessInfo.processInfo.environment["KINEMA_HOME"].map { URL(filePath: $0) }
                ?? SharedData.package.appending(path: ".kinema")
            try FileManager.default.createSymbolicLink(
                at: home.file("openvino"), withDestinationURL: real.appending(path: "openvino"))
            try FileManager.default.createDirectory(at: home.file("models"), withIntermediateDirectories: true)
            for name in ["pose_detection.tflite", "pose_landmark_full.tflite"] {
                var model = try Data(contentsOf: real.appending(path: "models").appending(path: name))
                model[model.count / 2] ^= 1
                try model.write(to: home.file("models").appending(path: name))
            }
            let run = try await Program(environment: ["KINEMA_HOME": home.url.path]).run(
                ["pose", Clips.squat.get().path])
            #expect(run.status == 1 && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.contains("not the published model") && run.complaint.contains("script/bootstrap"))
        }

        private func realHome() -> URL {
            ProcessInfo.processInfo.environment["KINEMA_HOME"].map { URL(filePath: $0) }
                ?? SharedData.package.appending(path: ".kinema")
        }

        /// A separate home: the real models, and copies of the library's files.
        private func copiedHome(_ folder: TemporaryFolder) throws -> URL {
            let home = folder.file("home")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                at: realHome().appending(path: "openvino"), to: home.appending(path: "openvino"))
            try FileManager.default.createSymbolicLink(
                at: home.appending(path: "models"), withDestinationURL: realHome().appending(path: "models"))
            return home
        }

        @Test func `code in the current folder or above it is never loaded`() async throws {
            let folder = try TemporaryFolder()
            for name in ["bin", "data/.kinema/openvino", "data/below", "empty"] {
                try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
            }
            // A library that is none, so that opening it would be told by the loader.
            try Data("trap".utf8).write(to: folder.file("data/.kinema/openvino/libopenvino_c.so"))
            try FileManager.default.copyItem(at: Program.url, to: folder.file("bin/kinema"))
            for place in ["data", "data/below"] {
                let running = try RunningProgram(
                    folder.file("bin/kinema"), ["doctor"],
                    environment: ["KINEMA_HOME": "", "XDG_DATA_HOME": "data", "HOME": folder.file("empty").path],
                    folder: folder.file(place))
                let run = try await running.outcome(within: .seconds(60))
                #expect(run.status == 1 && !run.text.contains("data"), "\(run.text)")
                #expect(run.lines.contains { $0.hasPrefix("MISSING openvino") && $0.contains("script/bootstrap") })
            }
        }

        @Test func `a folder named from the current one is used`() async throws {
            let folder = try TemporaryFolder()
            try FileManager.default.createSymbolicLink(at: folder.file("own"), withDestinationURL: realHome())
            let run = try await Program(environment: ["KINEMA_HOME": "own"], folder: folder.url).run(["doctor"])
            #expect(run.status == 0 && run.text.contains("\(folder.url.path)/own"), "\(run.text)")
        }

        @Test func `a library that was changed is not opened`() async throws {
            let folder = try TemporaryFolder()
            let home = try copiedHome(folder)
            let program = Program(environment: ["KINEMA_HOME": home.path])
            #expect(try await program.run(["doctor"]).status == 0)
            let library = home.appending(path: "openvino")
            let files = try FileManager.default.contentsOfDirectory(atPath: library.path)
            func change(_ prefix: String) throws -> URL {
                let file = library.appending(path: try #require(files.sorted().last { $0.hasPrefix(prefix) }))
                var bytes = try Data(contentsOf: file)
                bytes.append(0)
                try bytes.write(to: file)
                return file
            }
            // A neighbour is looked into by the doctor only, the library itself at every start.
            let plugin = try change("libopenvino_intel_cpu_plugin")
            let told = try await program.run(["doctor"])
            #expect(told.status == 1 && told.text.contains("\(plugin.path): differs from the file that was fetched"))
            let opened = try change("libopenvino_c.so")
            let run = try await program.run(["pose", Clips.squat.get().path])
            #expect(run.status == 1 && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.contains("\(opened.path): differs") && run.complaint.contains("script/bootstrap"))
            try FileManager.default.removeItem(at: library.appending(path: "SHA256SUMS"))
            #expect(try await program.run(["pose", Clips.squat.get().path]).complaint.contains("no checksums"))
        }

        @Test func `a folder that others may write to is refused in one line`() async throws {
            let folder = try TemporaryFolder()
            let home = try copiedHome(folder)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: home.path)
            let program = Program(environment: ["KINEMA_HOME": home.path])
            let run = try await program.run(["pose", Clips.squat.get().path])
            #expect(run.status == 1 && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.contains("\(home.path) may be written to by everybody"), "\(run.complaint)")
            let doctor = try await program.run(["doctor"])
            #expect(doctor.status == 1)
            #expect(doctor.lines.contains { $0.hasPrefix("MISSING home") && $0.contains("chmod go-w \(home.path)") })
        }

        @Test func `models are listed with licence and shapes`() async throws {
            struct Tensor: Decodable { var name: String, shape: [Int], meaning: String }
            struct Model: Decodable {
                var name: String, licence: String, origin: String, sha256: String, path: String?
                var input: Tensor?, outputs: [Tensor]
            }
            let run = try await Program.run("models", "--format", "json")
            let models = try Contract.decode([Model].self, from: run.text)
            #expect(
                run.status == 0
                    && models.prefix(6).map(\.name) == [
                        "body-detector", "body-landmarks", "palm-detector", "hand-landmarks", "face-detector",
                        "near-face-detector",
                    ])
            #expect(
                models.prefix(6).map(\.input?.shape) == [
                    [1, 224, 224, 3], [1, 256, 256, 3], [1, 192, 192, 3], [1, 224, 224, 3],
                    [1, 192, 192, 3], [1, 128, 128, 3],
                ])
            for model in models.prefix(5) {
                #expect(model.licence == "Apache-2.0" && model.sha256.count == 64 && model.path != nil)
            }
            let text = try await Program.run("models")
            #expect(models.allSatisfy { text.text.contains($0.sha256) })
        }

        @Test(arguments: commands) func `every command has help`(_ words: [String]) async throws {
            let run = try await Program().run(words + ["--help"])
            #expect(run.status == 0 && run.complaint.isEmpty)
            #expect(run.text.contains("USAGE: kinema " + words.joined(separator: " ")), "\(run.text)")
        }

        @Test(
            arguments: [
                ["pose"], ["nonsense"], ["pose", "a.mp4", "--format", "xml"], ["pose", "a.mp4", "--export", "csv"],
                ["pose", "a.mp4", "--output", "a.csv"], ["pose", "a.mp4", "--max-people", "0"],
                ["count", "a.mp4", "--every", "0"], ["pose", "a.mp4", "--rotate", "45"], ["studio", "--rotate", "1"],
                ["pose", "a.mp4", "--readout"], ["count", "a.mp4", "--ignore-joints", "tail"],
                ["count", "a.mp4", "--ignore-joints", "nose", "--select-joints", "root"],
                ["count", "a.mp4", "--people", "none"], ["synth"], ["synth", "--scene", "opera", "-o", "x.mp4"],
                ["synth", "--scene", "squat", "--repetitions", "0", "-o", "x.mp4"], ["evaluate", "count"],
            ])
        func `wrong usage is 64`(_ words: [String]) async throws {
            let run = try await Program().run(words)
            #expect(run.status == 64 && run.output.isEmpty)
            #expect(run.complaints.count == 1 && run.complaint.hasPrefix("kinema: "), "\(run.complaint)")
        }

        /// The address that a studio prints.
        private func address(_ options: [String], token: String? = nil) async throws -> String {
            let program = Program(environment: token.map { ["KINEMA_TOKEN": $0] } ?? [:])
            let studio = try program.start(["studio", "--port", "0", "--no-history"] + options)
            try #require(try await studio.holds { studio.complaint.hasSuffix("\n") }, "never listened")
            studio.interrupt()
            let outcome = try await studio.outcome(within: .seconds(30))
            #expect(outcome.status == 130 && outcome.complaints.count == 1, "\(outcome.complaint)")
            return outcome.complaint.replacing(/:\d+\//, with: ":PORT/")
        }

        @Test func `the studio prints an address with a token, of its own or yours`() async throws {
            let folder = try TemporaryFolder()
            try Data("from-the-file-1\n".utf8).write(to: folder.file("token"))
            func line(_ token: String) -> String { "studio: http://127.0.0.1:PORT/?token=\(token)\n" }
            let own = try await address([])
            #expect(own.contains(/\?token=[0-9a-f]{32}\n$/), "\(own)")
            #expect(try await address([], token: "from-the-environment") == line("from-the-environment"))
            let file = ["--token-file", folder.file("token").path]
            #expect(try await address(file, token: "from-the-environment") == line("from-the-file-1"))
            #expect(
                try await address(["--no-token"], token: "from-the-environment") == "studio: http://127.0.0.1:PORT/\n")
        }

        @Test(
            arguments: [
                (["--no-token", "--token", "acegkinqtvxbdh"], 64, "cannot be combined"),
                (["--no-token", "--host", "0.0.0.0"], 64, "a token is needed"),
                (["--token-file", "/nowhere/token"], 65, "cannot be read"), (["--token", "short"], 64, "12 to 128"),
                (["--token", "studio-passwd"], 64, "openssl rand -hex 16"),
                (["--history-limit", "0"], 64, "megabytes"),
            ] as [([String], Int32, String)])
        func `a studio that nobody could enter, or anybody, does not start`(
            options: [String], status: Int32, says: String
        ) async throws {
            let run = try await Program().run(["studio", "--port", "0", "--no-history"] + options)
            #expect(run.status == status && run.complaint.contains(says), "\(run.status) \(run.complaint)")
        }

        @Test(arguments: Sweep.of(["text", "json", "jsonl", "csv"], or: ["text", "csv"]))
        func `a file's name cannot control the terminal`(format: String) async throws {
            let folder = try TemporaryFolder()
            let odd = folder.file("=a\u{1B}[2J\u{9B}2J\u{202E}\nb.mp4")
            try FileManager.default.createSymbolicLink(at: odd, withDestinationURL: Clips.brief.get())
            for command in ["count", "pose"] {
                let run = try await Program().run([command, odd.path, "--format", format])
                #expect(run.status == 0, "\(run.complaint)")
                #expect(!run.text.unicodeScalars.contains { $0 != "\n" && PlainText.isHidden($0) })
                if format == "text" { #expect(run.text.contains(#"=a\u{1B}[2J\u{009B}2J\u{202E}\nb.mp4"#)) }
            }
        }
    }
}
