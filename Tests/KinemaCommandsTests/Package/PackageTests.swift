import Foundation
import KinemaTestSupport
import Testing

extension CommandTests {
    /// What packages rely on: the version, a command that was moved, completions and manual pages made from the command.
    struct PackageTests {
        /// The newest version in CHANGELOG.md.
        private static let newest: String = {
            let text = try? String(contentsOf: SharedData.package.appending(path: "CHANGELOG.md"), encoding: .utf8)
            return (text ?? "").firstMatch(of: /(?m)^## ([0-9]+\.[0-9]+\.[0-9]+)/).map { String($0.output.1) } ?? "none"
        }()

        @Test func `the version is the changelog's newest, or says that it is not`() async throws {
            let run = try await Program.run("--version")
            #expect(run.status == 0 && run.lines.count == 1)
            let version = try #require(run.lines.first)
            let rest = try #require(
                version.hasPrefix(Self.newest) ? version.dropFirst(Self.newest.count) : nil,
                "\(version), and CHANGELOG.md says \(Self.newest)")
            #expect(rest.wholeMatch(of: /(-dev)?(\+[0-9a-z.]+)?/) != nil, "\(version)")
        }

        @Test func `without arguments it shows commands that exist`() async throws {
            let run = try await Program.run()
            #expect(run.status == 0 && run.complaint.isEmpty && run.lines.count < 10, "\(run.output)")
            let commands = run.lines.compactMap { $0.firstMatch(of: /^ +kinema ([a-z]+)/)?.output.1 }
            #expect(commands.count == 4)
            for command in commands { #expect(try await Program.run(String(command), "--help").status == 0) }
        }

        @Test func `what needs a server or a database is a program beside the command`() async throws {
            let beside = try await Program(isApart: true).run(["history", "export", "--help"])
            #expect(beside.status == 0 && beside.text.contains("kinema history export"), "\(beside.text)")
            // Everything that follows the name is passed on, as are the exit codes.
            let wrong = try await Program(isApart: true).run(["studio", "--port", "none"])
            #expect(wrong.status == 64 && wrong.complaints.count == 1 && wrong.complaint.contains("--port"))
            let folder = try TemporaryFolder()
            let alone = folder.file("kinema")
            try FileManager.default.copyItem(at: Program.url, to: alone)
            for name in ["studio", "history", "watch", "evaluate", "synth"] {
                let run = try await RunningProgram(alone, [name], environment: [:], folder: nil)
                    .outcome(within: .seconds(60))
                #expect(run.status == 1 && run.output.isEmpty && run.complaints.count == 1, "\(run.complaint)")
                #expect(run.complaint.contains("kinema-studio") && run.complaint.contains("swift build"))
            }
        }

        @Test func `FFmpeg is loaded only by what reads a video, and its absence is one line`() async throws {
            // With this variable the dynamic loader lists what it would load, and starts nothing.
            let loaded = try await Program(environment: ["LD_TRACE_LOADED_OBJECTS": "1"]).run(["--version"])
            let libraries = loaded.lines.joined(separator: " ")
            #expect(libraries.contains("libc.so") && !libraries.contains("libav"), "\(libraries)")
            let folder = try TemporaryFolder()
            for name in try FileManager.default.contentsOfDirectory(atPath: "/lib/\(Self.machine)-linux-gnu")
            where name.hasPrefix("libavutil.so.") {
                try Data("no library".utf8).write(to: folder.file(name))
            }
            let program = Program(environment: ["LD_LIBRARY_PATH": folder.url.path])
            #expect(try await program.run(["--version"]).status == 0)
            let run = try await program.run(["count", "--no-sandbox", Clips.squat.get().path])
            #expect(run.status == 1 && run.output.isEmpty && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.contains("libavutil") && run.complaint.contains("install"))
        }

        private static let machine = {
            #if arch(arm64)
                "aarch64"
            #else
                "x86_64"
            #endif
        }()

        /// The layout of a package, with the command and the page copied and the rest linked.
        private func layOut(_ folder: TemporaryFolder) throws -> URL {
            let tree = folder.file("some where/kinema")
            let (bin, share) = (tree.appending(path: "bin"), tree.appending(path: "share/kinema"))
            for place in [bin, share] {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            }
            // A package has the program of all commands under the command's name.
            try FileManager.default.copyItem(
                at: Program.url.deletingLastPathComponent().appending(path: "kinema-studio"),
                to: bin.appending(path: "kinema"))
            let page = "Kinema_KinemaStudio.resources"
            try FileManager.default.copyItem(
                at: Program.url.deletingLastPathComponent().appending(path: page), to: share.appending(path: page))
            let home =
                ProcessInfo.processInfo.environment["KINEMA_HOME"].map { URL(filePath: $0) }
                ?? SharedData.package.appending(path: ".kinema")
            for part in ["openvino", "models"] {
                try FileManager.default.createSymbolicLink(
                    at: share.appending(path: part), withDestinationURL: home.appending(path: part))
            }
            return tree
        }

        /// Starts the moved command through a link, from another folder, with nothing in the environment to help it.
        private func start(_ arguments: [String], in folder: TemporaryFolder) throws -> RunningProgram {
            let link = folder.file("kinema")
            if !FileManager.default.fileExists(atPath: link.path) {
                try FileManager.default.createSymbolicLink(
                    at: link, withDestinationURL: folder.file("some where/kinema/bin/kinema"))
            }
            let own = folder.file("own")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            return try RunningProgram(
                link, arguments,
                environment: [
                    "KINEMA_HOME": "", "HOME": own.path, "XDG_DATA_HOME": own.path, "XDG_CACHE_HOME": own.path,
                ], folder: own)
        }

        @Test func `a moved command finds its library, models and page through a link`() async throws {
            let folder = try TemporaryFolder()
            let tree = try layOut(folder)
            let doctor = try await start(["doctor"], in: folder).outcome(within: .seconds(240))
            #expect(doctor.status == 0, "\(doctor.text)")
            #expect(doctor.lines.contains { $0.hasPrefix("ok") && $0.hasSuffix("\(tree.path)/share/kinema") })
            let studio = try start(["studio", "--port", "0", "--no-history", "--no-token"], in: folder)
            let listens = try await studio.holds { studio.complaint.hasSuffix("\n") }
            studio.interrupt()
            let outcome = try await studio.outcome(within: .seconds(30))
            #expect(listens && outcome.complaint.hasPrefix("studio: http://"), "\(outcome.complaint)")
        }

        @Test func `a damaged package is to be installed again`() async throws {
            let folder = try TemporaryFolder()
            let share = try layOut(folder).appending(path: "share/kinema")
            for part in ["openvino", "models"] {
                try FileManager.default.removeItem(at: share.appending(path: part))
            }
            let doctor = try await start(["doctor"], in: folder).outcome(within: .seconds(240))
            let missing = doctor.lines.filter { $0.hasPrefix("MISSING") }
            #expect(doctor.status == 1 && missing.count == 7, "\(doctor.text)")
            #expect(missing.allSatisfy { $0.contains("install the package again") }, "\(doctor.text)")
        }

        @Test func `your own models lie in your own folder, not in the package`() async throws {
            let folder = try TemporaryFolder()
            let share = try layOut(folder).appending(path: "share/kinema")
            try FileManager.default.removeItem(at: share.appending(path: "models"))
            let words = ["models", "fetch", "rtmdet-nano", "--from", folder.file("own").path]
            let run = try await start(words, in: folder).outcome(within: .seconds(60))
            #expect(run.status == 65 && run.complaint.contains("contains no"), "\(run.complaint)")
            #expect(!FileManager.default.fileExists(atPath: share.appending(path: "models").path))
            #expect(FileManager.default.fileExists(atPath: folder.file("own/kinema/models").path))
        }

        @Test(arguments: ["bash", "zsh", "fish"])
        func `completions name every command`(shell: String) async throws {
            let run = try await Program.run("--generate-completion-script", shell)
            #expect(run.status == 0 && run.complaint.isEmpty, "\(run.complaint)")
            for word in ["count", "coach", "studio", "doctor", "overlay", "evaluate"] {
                #expect(run.text.contains(word), "\(word) is missing")
            }
            guard shell == "bash" else { return }
            let parsed = try await Program.shell(#""$kinema" --generate-completion-script bash | bash -n"#)
            #expect(parsed.status == 0 && parsed.complaint.isEmpty, "\(parsed.complaint)")
        }

        @Test func `every command has a manual page, which shows each of its options`() async throws {
            let folder = try TemporaryFolder()
            let script = SharedData.package.appending(path: "script/packaging/manuals.py").path
            let run = try await Program.shell(
                #""$kinema"-studio --experimental-dump-help | python3 "$1" --version 1.2.3 --date @86400 "$2""#, script,
                folder.url.path)
            #expect(run.status == 0, "\(run.complaint)")
            let pages = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
            #expect(pages.contains("kinema.1") && pages.contains("kinema-evaluate-count.1") && pages.count > 25)
            #expect(!pages.contains { $0.contains("bench") || $0.contains("help") }, "\(pages)")
            let count = try String(contentsOf: folder.file("kinema-count.1"), encoding: .utf8)
            #expect(
                count.hasPrefix(#".TH "KINEMA\-COUNT" 1 "1970\-01\-02" "kinema 1.2.3" "Kinema""#), "\(count.prefix(80))"
            )
            let help = try await Program.run("count", "--help").text
            for option in Set(help.matches(of: /--[a-z0-9-]+/).map { String($0.output) }) {
                #expect(count.contains(option.replacing("-", with: #"\-"#)), "\(option) is missing")
            }
        }

        @Test func `a version is a tag, commits after it, or a commit before it`() async throws {
            let folder = try TemporaryFolder()
            let script = #"""
                set -eu
                mkdir "$1/script" && cp "$2/script/settings.sh" "$1/script/" && cd "$1"
                commit() { git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -qm "$1" --allow-empty; }
                version() { (source script/settings.sh && kinema_version) | sed "s/$(git rev-parse --short=7 HEAD)/HASH/"; }
                printf '# Changelog\n\n## 1.2.3 - unreleased\n\n## 1.2.2 - 2026-01-01\n' >CHANGELOG.md
                git init -q . && git add -A && commit first
                git tag v1.2.2 && version
                git tag v1.2.3 && version
                commit second && version
                echo >>CHANGELOG.md && version
                """#
            let run = try await Program.shell(script, folder.url.path, SharedData.package.path)
            #expect(run.status == 0, "\(run.complaint)")
            #expect(run.lines == ["1.2.3-dev+HASH", "1.2.3", "1.2.3+1.HASH", "1.2.3+1.HASH.changed"])
        }
    }
}
