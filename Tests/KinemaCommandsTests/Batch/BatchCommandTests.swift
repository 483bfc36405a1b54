import Foundation
import KinemaTestSupport
import Testing

extension CommandTests {
    /// Many videos: each result whole or absent, nothing done twice.
    struct BatchTests {
        private let folder: TemporaryFolder
        private let clip: URL
        private var results: URL { folder.file("out") }

        init() throws {
            folder = try TemporaryFolder()
            clip = try Clips.brief.get()
            try FileManager.default.createDirectory(
                at: folder.file("clips/deep"), withIntermediateDirectories: true)
        }

        private struct Line: Decodable {
            var source: String, status: String, seconds: Double, result: String?, error: String?, options: String
        }

        private func copy(_ source: URL, _ name: String) throws {
            try FileManager.default.copyItem(at: source, to: folder.file("clips/\(name)"))
        }

        /// Three good clips, one below another folder, and what has to be passed over: a pipe would be waited for.
        private func fill() throws {
            for name in ["a.mp4", "b.MP4", "deep/a.mp4"] { try copy(clip, name) }
            try copy(clip, ".hidden.mp4")
            mkfifo(folder.file("clips/pipe.mp4").path, 0o600)
            try Data("no video".utf8).write(to: folder.file("clips/notes.txt"))
        }

        private func run(_ words: String..., status: Int32 = 0) async throws -> Program.Outcome {
            let outcome = try await Program().run(["batch", folder.file("clips").path, "-o", results.path] + words)
            #expect(outcome.status == status, "\(outcome.status): \(outcome.complaint)")
            return outcome
        }

        private func manifest() throws -> [String: Line] {
            let lines = try String(contentsOf: results.appending(path: "manifest.jsonl"), encoding: .utf8)
                .split(separator: "\n").map { try Contract.decode(Line.self, from: String($0)) }
            return Dictionary(uniqueKeysWithValues: lines.map { (URL(filePath: $0.source).path, $0) })
        }

        private func files() throws -> Set<String> {
            Set((FileManager.default.subpaths(atPath: results.path) ?? []).filter { !$0.hasSuffix("lock") })
        }

        private func changed(_ name: String) throws -> Date {
            let attributes = try FileManager.default.attributesOfItem(atPath: results.appending(path: name).path)
            return try #require(attributes[.modificationDate] as? Date)
        }

        @Test func `a killed run over a long video loses only the parts at hand`() async throws {
            let film = try Clips.parted.get().path
            let words = ["batch", film, "-o", results.path, "--task", "pose", "--split"]
            let options = ["--", "--part-length", "2"]
            let folder = results.appending(path: ".kinema-batch.parts")
            func parts() -> Int {
                (FileManager.default.subpaths(atPath: folder.path) ?? []).count { $0.hasSuffix(".json") }
            }
            var kept = 0
            // A video that is killed twice without progress would be skipped.
            for more in [[], ["--resume"], ["--resume"]] {
                let killed = try Program().start(words + more + options)
                #expect(try await killed.holds { parts() > kept })
                killed.breakOff()
                _ = try await killed.outcome()
                kept = parts()
            }
            #expect((3...8).contains(kept))
            let rest = try await Program().run(words + ["--resume"] + options)
            #expect(rest.status == 0 && rest.complaint.contains("\(kept) of 8 parts"), "\(rest.complaint)")
            let alone = try await Program().run(
                ["pose", film, "--format", "jsonl", "--jobs", "2"] + options.dropFirst())
            #expect(try Data(contentsOf: results.appending(path: "parted.mp4.jsonl")) == alone.output)
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }

        @Test func `runs that end early cost no part that is done`() async throws {
            let film = try Clips.parted.get().path
            let words = ["batch", film, "-o", results.path, "--task", "pose", "--split", "--resume"]
            let options = ["--", "--part-length", "4"]
            let folder = results.appending(path: ".kinema-batch.parts")
            let killed = try Program().start(words + options)
            #expect(
                try await killed.holds {
                    (FileManager.default.subpaths(atPath: folder.path) ?? []).contains { $0.hasSuffix(".json") }
                })
            killed.breakOff()
            _ = try await killed.outcome()
            for (deaths, status) in [(5, Int32(1)), (4, 0)] {
                let running = results.appending(path: ".kinema-batch.running")
                try JSONEncoder().encode([film: deaths]).write(to: running)
                let outcome = try await Program().run(words + options)
                #expect(outcome.status == status, "\(outcome.complaint)")
                let said = status == 1 ? "killed 5 times" : " of 4 parts were analysed before"
                #expect(outcome.complaint.contains(said), "\(outcome.complaint)")
            }
        }

        @Test func `two processes share the parts of a video`() async throws {
            let words = ["pose", try Clips.parted.get().path, "--format", "jsonl", "--part-length", "4"]
            let both = [
                try Program().start(words + ["--parts", results.path]),
                try Program().start(words + ["--parts", results.path]),
            ]
            var own = 0
            let alone = try await Program().run(words + ["--jobs", "2"])
            for process in both {
                let outcome = try await process.outcome()
                #expect(outcome.status == 0 && outcome.output == alone.output)
                let known = outcome.complaint.firstMatch(of: /([0-9]) of 4 parts/).flatMap { Int($0.output.1) }
                own += 4 - (known ?? 0)
            }
            #expect(own == 4)
        }

        @Test func `every video has the result its command writes`() async throws {
            try fill()
            let outcome = try await run("--jobs", "2")
            #expect(try files() == ["a.mp4.json", "b.MP4.json", "deep", "deep/a.mp4.json", "manifest.jsonl"])
            let alone = try await Program.run("count", folder.file("clips/a.mp4").path, "--format", "json")
            #expect(try Data(contentsOf: results.appending(path: "a.mp4.json")) == alone.output)
            let lines = try manifest()
            #expect(lines.count == 3)
            #expect(lines.values.allSatisfy { $0.status == "done" && $0.seconds > 0 })
            #expect(Set(lines.values.compactMap(\.result)) == ["a.mp4.json", "b.MP4.json", "deep/a.mp4.json"])
            #expect(outcome.lines.count == 3)
            #expect(outcome.lines.allSatisfy { $0.hasPrefix("done\t") && $0.split(separator: "\t").count == 4 })
            #expect(outcome.complaint.isEmpty)
        }

        @Test func `a broken video does not stop the rest`() async throws {
            try fill()
            try Data("no video at all".utf8).write(to: folder.file("clips/aa.mp4"))
            // Two results that cannot be written: one lies where a folder is, one in a folder that is a file.
            try FileManager.default.createDirectory(
                at: results.appending(path: "b.MP4.json"), withIntermediateDirectories: true)
            try Data().write(to: results.appending(path: "deep"))
            let outcome = try await run(status: 1)
            let lines = try manifest()
            let broken = try #require(lines[folder.file("clips/aa.mp4").path])
            #expect(broken.status == "failed")
            #expect(broken.result == nil)
            #expect(broken.error?.isEmpty == false)
            #expect(lines.count == 4 && lines.values.count { $0.status == "done" } == 1)
            #expect(outcome.complaints.count == 3)
            #expect(outcome.complaint.contains("aa.mp4") && outcome.complaint.contains("b.MP4.json: is a folder"))
            #expect(try !files().contains { $0.contains("aa.mp4") })
        }

        @Test func `resuming leaves out what is done and unchanged`() async throws {
            try fill()
            _ = try await run()
            let before = (a: try changed("a.mp4.json"), b: try changed("b.MP4.json"))
            // One video was only touched, one is another one now, one result is lost, one video is new.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 5)], ofItemAtPath: folder.file("clips/a.mp4").path)
            let emptyBox = Data([0, 0, 0, 8] + Array("free".utf8))
            try (Data(contentsOf: clip) + emptyBox).write(to: folder.file("clips/b.MP4"))
            try FileManager.default.removeItem(at: results.appending(path: "deep/a.mp4.json"))
            try copy(clip, "c.mp4")
            let outcome = try await run("--resume")
            #expect(outcome.lines.count == 3)
            #expect(outcome.complaint.contains("1 video skipped, already done"))
            #expect(try changed("a.mp4.json") == before.a)
            #expect(try changed("b.MP4.json") > before.b)
            #expect(try manifest().count == 4)
            // Other options make every result out of date.
            let again = try await Program().run(
                ["batch", folder.file("clips").path, "-o", results.path, "--resume", "--", "--people", "all"])
            #expect(again.status == 0)
            #expect(again.lines.count == 4)
            // A result that a full disk emptied is none.
            try Data().write(to: results.appending(path: "a.mp4.json"))
            let emptied = try await Program().run(
                ["batch", folder.file("clips").path, "-o", results.path, "--resume", "--", "--people", "all"])
            #expect(emptied.status == 0 && emptied.lines.count == 1)
            // Nothing left to do.
            let idle = try await Program().run(
                ["batch", folder.file("clips").path, "-o", results.path, "--resume", "--", "--people", "all"])
            #expect(idle.status == 0)
            #expect(idle.lines.isEmpty)
            #expect(idle.complaint.contains("4 videos skipped, already done"))
        }

        @Test func `results that are removed while it runs are missed`() async throws {
            try copy(clip, "a.mp4")
            try FileManager.default.copyItem(at: try Clips.long.get(), to: folder.file("clips/b.mp4"))
            let words = ["batch", folder.file("clips").path, "-o", results.path, "--jobs", "1"]
            let running = try Program().start(words)
            let second = results.appending(path: ".b.mp4.json.partial").path
            try #require(try await running.holds { FileManager.default.fileExists(atPath: second) })
            try FileManager.default.removeItem(at: results)
            let outcome = try await running.outcome()
            #expect(outcome.status == 1 && outcome.complaint.contains("1 result removed from"), "\(outcome.complaint)")
            #expect(try manifest().mapValues(\.status).values.sorted() == ["done", "failed"])
            _ = try await run("--resume")
            #expect(try files() == ["a.mp4.json", "b.mp4.json", "manifest.jsonl"])
        }

        @Test(arguments: [SIGINT, SIGTERM]) func `interrupted it can be taken up again`(signal: Int32) async throws {
            try copy(clip, "a.mp4")
            let late = folder.file("clips/b.mp4")
            try FileManager.default.copyItem(at: try Clips.long.get(), to: late)
            let words = ["batch", folder.file("clips").path, "-o", results.path, "--jobs", "1"]
            let running = try Program().start(words)
            let first = results.appending(path: "a.mp4.json").path
            let second = results.appending(path: ".b.mp4.json.partial").path
            try #require(
                try await running.holds {
                    FileManager.default.fileExists(atPath: first) && FileManager.default.fileExists(atPath: second)
                })
            running.interrupt(signal)
            let outcome = try await running.outcome(within: .seconds(30))
            #expect(outcome.status == 130, "\(outcome.complaint)")
            #expect(outcome.complaint.contains("--resume"), "\(outcome.complaint)")
            #expect(try files() == ["a.mp4.json", "manifest.jsonl"])
            #expect(try manifest().count == 1)
            // Nothing is held to have died.
            #expect(!FileManager.default.fileExists(atPath: results.appending(path: ".kinema-batch.running").path))
            #expect(!FileManager.default.fileExists(atPath: second))
            // What was not done is done then, and need not take long.
            try FileManager.default.removeItem(at: late)
            try copy(clip, "b.mp4")
            let rest = try await Program().run(words + ["--resume"])
            #expect(rest.status == 0)
            #expect(rest.lines.count == 1)
            #expect(try files() == ["a.mp4.json", "b.mp4.json", "manifest.jsonl"])
        }

        @Test func `killed it keeps what is done and knows what it died with`() async throws {
            try copy(clip, "a.mp4")
            try FileManager.default.copyItem(at: try Clips.long.get(), to: folder.file("clips/b.mp4"))
            let words = ["batch", folder.file("clips").path, "-o", results.path, "--jobs", "1"]
            for death in 1...2 {
                let script = """
                    "$kinema" "${@:2}" >/dev/null & pid=$!
                    while [ ! -s "$1/.kinema-batch.running" ] || [ ! -e "$1/.b.mp4.json.partial" ]; do sleep 0.05; done
                    sleep 0.3; kill -9 $pid; wait $pid; true
                    """
                let resume = death > 1 ? ["--resume"] : []
                try? FileManager.default.removeItem(at: results.appending(path: ".b.mp4.json.partial"))
                _ = try await Program.shell(script, [results.path] + words + resume)
            }
            let rest = try await Program().run(words + ["--resume"])
            let line = try #require(try manifest()[folder.file("clips/b.mp4").path])
            #expect(rest.status == 1)
            #expect(line.status == "failed")
            #expect(line.error?.contains("killed 2 times") == true)
            #expect(try manifest()[folder.file("clips/a.mp4").path]?.status == "done")
        }

        @Test func `a torn last line of the manifest is forgotten`() async throws {
            try copy(clip, "a.mp4")
            _ = try await run()
            let file = results.appending(path: "manifest.jsonl")
            try (try Data(contentsOf: file) + Data("{\"source\": \"half a li".utf8)).write(to: file)
            // It died before it could note that the video is not at hand any more.
            let running = results.appending(path: ".kinema-batch.running")
            try JSONEncoder().encode([folder.file("clips/a.mp4").path: 1]).write(to: running)
            let outcome = try await run("--resume")
            #expect(!FileManager.default.fileExists(atPath: running.path))
            #expect(outcome.lines.isEmpty)
            #expect(outcome.complaint.contains("1 video skipped, already done"))
            #expect(try manifest().count == 1)
        }

        @Test func `options go to the command with the videos own name`() async throws {
            try copy(clip, "a.mp4")
            _ = try await run("--task", "pose", "--", "--export", "trc", "--output", "{}.trc")
            #expect(try files() == ["a.mp4.jsonl", "a.mp4.trc", "manifest.jsonl"])
        }

        @Test func `files of one name from two folders both have a result`() async throws {
            try copy(clip, "a.mp4")
            try copy(clip, "deep/a.mp4")
            let outcome = try await Program().run([
                "batch", folder.file("clips/a.mp4").path, folder.file("clips/deep/a.mp4").path, "-o", results.path,
            ])
            #expect(outcome.status == 0)
            #expect(Set(try manifest().values.compactMap(\.result)).count == 2)
        }

        @Test func `where nobody is the code is two`() async throws {
            try copy(try Clips.nobody.get(), "a.mp4")
            let outcome = try await run(status: 2)
            #expect(try manifest().values.map(\.status) == ["nothing"])
            #expect(outcome.complaint.contains("no person"))
        }

        @Test func `without the models it stops at once and blames no video`() async throws {
            try fill()
            let outcome = try await Program(environment: ["KINEMA_HOME": folder.file("none").path]).run(
                ["batch", folder.file("clips").path, "-o", results.path])
            #expect(outcome.status == 1)
            #expect(outcome.complaints.count == 1)
            #expect(outcome.complaint.contains("installed"))
            #expect(try files() == ["manifest.jsonl"])
            #expect(try manifest().isEmpty)
        }

        @Test func `wrong words are reported before any work`() async throws {
            try copy(clip, "a.mp4")
            #expect(try await run("--", "--no-such-option", status: 64).complaint.contains("no-such-option"))
            #expect(try await run("--", "--format", "csv", status: 64).complaint.contains("before --"))
            #expect(!FileManager.default.fileExists(atPath: results.path))
            let empty = try await Program.run("batch", folder.file("clips/deep").path, "-o", results.path)
            #expect(empty.status == 65)
            #expect(empty.complaint.contains("no video"))
        }
    }
}
