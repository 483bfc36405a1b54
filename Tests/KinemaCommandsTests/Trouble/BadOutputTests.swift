import Foundation
import KinemaTestSupport
import Testing

@testable import KinemaSynth

extension CommandTests {
    /// Every output that cannot be written gives one clear line, and no input is ever overwritten.
    struct BadOutputTests {
        private let folder: TemporaryFolder
        private let clip: URL

        init() throws {
            folder = try TemporaryFolder()
            clip = folder.file("clip.mp4")
            try FileManager.default.copyItem(at: Clips.brief.get(), to: clip)
        }

        private func expect(
            _ status: Int32, _ words: [String], says text: String = "",
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            let run = try await Program().run(words, sourceLocation: sourceLocation)
            #expect(run.status == status, "\(run.complaint)", sourceLocation: sourceLocation)
            #expect(
                run.complaints.count == 1 && run.complaint.hasPrefix("kinema: ")
                    && (text.isEmpty || run.complaint.contains(text)),
                "\(run.complaint)", sourceLocation: sourceLocation)
        }

        @Test(arguments: ["nowhere/x.mp4", "clip.mp4/x.mp4", ".", "/proc/x.mp4"])
        func `overlays that cannot be made`(name: String) async throws {
            let path = name.hasPrefix("/") ? name : folder.file(name).path
            try await expect(1, ["pose", clip.path, "--overlay", path])
            try await expect(1, ["count", clip.path, "--overlay", path])
        }

        @Test(arguments: ["csv", "coco", "trc", "openpose"]) func `exports that cannot be made`(format: String)
            async throws
        {
            for path in [folder.file("clip.mp4/x").path, "/proc/x"] {
                try await expect(1, ["pose", clip.path, "--export", format, "--output", path])
            }
            if format != "openpose" {
                try await expect(
                    1, ["pose", clip.path, "--export", format, "--output", folder.file("nowhere/x").path],
                    says: "folder")
                // Said before the work, for which there would be no time.
                let run = try await Program(limit: .seconds(30)).run(
                    ["pose", Clips.endless.get().path, "--export", format, "--output", folder.file("nowhere/x").path])
                #expect(run.status == 1 && run.complaints.count == 1, "\(run.complaint)")
            }
        }

        @Test func `an output without a name is refused, and nothing is written`() async throws {
            let poses = folder.file("poses.jsonl").path
            try Data(MeasuredFigure.walking().lines(1).utf8).write(to: URL(filePath: poses))
            for words in [
                ["measure", poses, "--height", "1.8", "-o"], ["pose", clip.path, "--export", "openpose", "--output"],
                ["pose", clip.path, "--export", "csv", "--output"], ["pose", clip.path, "--track-report"],
                ["pose", clip.path, "--overlay"], ["batch", clip.path, "-o"], ["synth", "--scene", "idle", "-o"],
                ["demo", "-o"],
            ] {
                try await expect(64, words + [""], says: "name of an output is empty")
            }
        }

        @Test func `synth and demo say where they cannot write`() async throws {
            try await expect(1, ["synth", "--scene", "idle", "-o", folder.file("nowhere/x.mp4").path])
            try await expect(
                1, ["synth", "--scene", "idle", "-o", folder.file("x.mp4").path, "--truth", "/proc/x.json"])
            try await expect(1, ["demo", "-o", folder.file("clip.mp4/out").path], says: "--output")
        }

        /// The part of `--experimental-dump-help` that tells which options name a file to write.
        private struct Help: Decodable {
            struct Command: Decodable {
                struct Argument: Decodable {
                    struct Name: Decodable { let name: String }
                    let kind: String
                    let abstract: String?
                    let preferredName: Name?
                }

                let commandName: String
                let arguments: [Argument]?
                let subcommands: [Command]?
            }

            let command: Command
        }

        /// A new option of that kind is protected only if its command lists it under `outputs`.
        @Test func `every option that names a file to write refuses the input under another name`() async throws {
            let before = try Data(contentsOf: clip)
            let help = try Contract.decode(Help.self, from: try await Program.run("--experimental-dump-help").text)
            // What else a command needs.
            let companions = ["measure": ["--height", "1.8"]]
            var tried: [String] = []
            for command in help.command.subcommands ?? [] {
                guard
                    ["pose", "count", "coach", "measure", "gesture", "trajectories", "toss"].contains(
                        command.commandName)
                else { continue }
                for option in command.arguments ?? [] where option.kind == "option" {
                    guard let name = option.preferredName?.name, let text = option.abstract,
                        text.hasPrefix("Write ") || text.hasPrefix("The file to write")
                    else { continue }
                    // The first ending that the help names; a hard link has the input's bytes under that ending.
                    let ending = text.firstMatch(of: /\.([a-z][a-z0-9]+)/).map { String($0.1) } ?? "jsonl"
                    let twin = folder.file("twin-\(tried.count).\(ending)")
                    try FileManager.default.linkItem(at: clip, to: twin)
                    let key = "\(command.commandName) --\(name)"
                    let words =
                        [command.commandName, clip.path, "--\(name)", twin.path]
                        + (companions[command.commandName] ?? [])
                    let run = try await Program().run(words)
                    #expect(
                        run.status == 64 && run.complaint.contains("is the input itself"), "\(key): \(run.complaint)")
                    tried.append(key)
                }
            }
            #expect(try Data(contentsOf: clip) == before)
            #expect(tried.count >= 15 && tried.contains("count --subtitles"), "\(tried)")
        }

        @Test func `the input is never the output`() async throws {
            let before = try Data(contentsOf: clip)
            let (link, twin) = (folder.file("link.mp4"), folder.file("twin.mp4"))
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: clip)
            try FileManager.default.linkItem(at: clip, to: twin)
            for output in [clip, link, twin] {
                try await expect(64, ["pose", clip.path, "--overlay", output.path], says: "input itself")
                try await expect(64, ["count", link.path, "--overlay", output.path], says: "input itself")
                try await expect(
                    64, ["pose", clip.path, "--export", "csv", "--output", output.path], says: "input itself")
            }
            #expect(try Data(contentsOf: clip) == before)
        }

        @Test func `the input on standard input is never the output`() async throws {
            let before = try Data(contentsOf: clip)
            for options in ["pose - --overlay", "count - --overlay", "pose - --export csv --output"] {
                let run = try await Program.shell("\"$kinema\" \(options) \"$1\" <\"$1\"", clip.path)
                #expect(run.status == 64 && run.complaint.contains("input itself"), "\(run.status) \(run.complaint)")
                #expect(try Data(contentsOf: clip) == before)
            }
        }

        @Test(arguments: ["film.avi", "film.gif", "picture.webp", "film.xyz"])
        func `overlays of other formats are refused`(name: String) async throws {
            for command in ["pose", "count"] {
                try await expect(64, [command, clip.path, "--overlay", folder.file(name).path], says: ".mp4")
            }
            #expect(!FileManager.default.fileExists(atPath: folder.file(name).path))
        }

        /// A pipe stands for `/dev/null`, which an export as root must not replace by a file.
        @Test(arguments: ["csv", "coco"]) func `exports write to devices and leave them there`(format: String)
            async throws
        {
            let run = try await Program.shell(
                "mkfifo \"$2\"; cat \"$2\" >\"$2.txt\" & \"$kinema\" pose \"$1\" --export \(format) --output \"$2\"; "
                    + "status=$?; test -p \"$2\" || { kill %1; exit 99; }; wait; exit $status",
                clip.path, folder.file("pipe").path)
            #expect(run.status == 0, "\(run.status) \(run.complaint)")
            #expect(try Data(contentsOf: folder.file("pipe.txt")).count > 1000)
        }

        @Test func `two outputs are two files`() async throws {
            let both = folder.file("both").path
            try await expect(
                64, ["pose", clip.path, "--overlay", both, "--export", "csv", "--output", both], says: "same file")
        }

        @Test func `a full standard output is said once`() async throws {
            let all = [
                "pose", "pose --format jsonl", "pose --format json", "count", "models", "doctor", "--help", "--version",
            ]
            for words in all {
                let input = words.hasPrefix("pose") || words == "count" ? "\"$1\"" : ""
                for place in [">/dev/full", ">&-"] {
                    let run = try await Program.shell("\"$kinema\" \(words) \(input) \(place)", clip.path)
                    #expect(run.status == 1 && run.complaints.count == 1, "\(words) \(place): \(run.complaint)")
                    #expect(run.complaint.contains("standard output"))
                }
            }
        }

        /// The next file that a program opens takes the number of a closed stream.
        @Test func `a closed standard input is said, and closed messages change no code`() async throws {
            for command in ["count -", "pose -", "coach -", "measure - --height 1.8", "gesture -"] {
                let run = try await Program.shell("timeout -s KILL 20 \"$kinema\" \(command) <&-")
                #expect(run.status == 65 && run.complaints.count == 1, "\(command): \(run.status) \(run.complaint)")
                #expect(run.complaint.contains("-: standard input is closed"), "\(command): \(run.complaint)")
            }
            let jobs = try await Program.shell("timeout -s KILL 20 \"$kinema\" serve-jobs <&-")
            #expect(jobs.status != 137 && jobs.text.isEmpty, "\(jobs.status) \(jobs.complaint)")
            let clip = try Clips.squat.get().path
            for (words, status) in [("count \"$1\"", 0), ("count absent.mp4", 65), ("--version", 0)] {
                let run = try await Program.shell("timeout -s KILL 60 \"$kinema\" \(words) 2>&- <&-", clip)
                #expect(run.status == Int32(status), "\(words): \(run.status)")
                #expect(run.text.isEmpty == (status != 0))
            }
            let mute = try await Program.shell("timeout -s KILL 60 \"$kinema\" count \"$1\" <&- >&- 2>&-", clip)
            #expect(mute.status == 1)
        }

        @Test func `a closed reader ends the run quietly`() async throws {
            let run = try await Program.shell(
                "\"$kinema\" pose \"$1\" --format jsonl | head -1; exit \"${PIPESTATUS[0]}\"", Clips.long.get().path)
            #expect(run.status == 0 && run.lines.count == 1 && run.complaint.isEmpty, "\(run.complaint)")
            _ = try Contract.decode(Contract.Frame.self, from: run.text)
            // Nobody is there from the start, and the whole result comes at the end.
            for words in ["count \"$1\"", "pose \"$1\"", "models", "--help"] {
                let gone = try await Program.shell(
                    "(sleep 0.5; exec \"$kinema\" \(words)) | true; exit \"${PIPESTATUS[0]}\"", clip.path)
                #expect(gone.status == 0 && gone.complaint.isEmpty, "\(words): \(gone.status) \(gone.complaint)")
            }
        }

        /// The limit on a file's size stands for a full disk: writing fails at some byte. Its signal has to be at its
        /// default, for whoever started the tests may have silenced it.
        @Test func `a full disk leaves a playable overlay`() async throws {
            let overlay = folder.file("overlay.mp4")
            let clip = try Clips.squat.get()
            // Blocks of 1 KiB; the first second must fit.
            for command in ["pose", "count"] {
                let run = try await Program.shell(
                    "ulimit -f 120; env --default-signal=XFSZ \"$kinema\" \(command) \"$1\" --overlay \"$2\" | cat; "
                        + "exit \"${PIPESTATUS[0]}\"",
                    clip.path, overlay.path
                )
                // Besides, it may be said that the video is decoded without a sandbox under such a limit.
                let errors = run.complaints.filter { $0.hasPrefix("kinema: ") }
                #expect(run.status == 1 && errors.count == 1, "\(run.status) \(run.complaint)")
                #expect(run.complaint.contains(overlay.path))
                // The results are of all frames.
                #expect(run.text.contains("\(Clips.squatScene.frameCount) frames"), "\(run.text)")
                let size = try overlay.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
                #expect(size <= 120 * 1024)
                #expect(try await Clips.frames(of: overlay).count > 5)
            }
        }
    }
}
