import Foundation
import KinemaTestSupport
import Testing

extension CommandTests {
    /// All results of a batch in one table, and its plan.
    struct BatchTableTests {
        private let folder: TemporaryFolder
        private var results: URL { folder.file("out") }
        private var clips: URL { folder.file("clips") }

        /// A clip with someone, one with nobody, and what is no video.
        init() throws {
            folder = try TemporaryFolder()
            try FileManager.default.createDirectory(at: folder.file("clips"), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: Clips.brief.get(), to: folder.file("clips/a.mp4"))
            try FileManager.default.copyItem(at: Clips.nobody.get(), to: folder.file("clips/b, c.mp4"))
            try Data("no video".utf8).write(to: folder.file("clips/d.mp4"))
        }

        private struct Row: Decodable {
            struct Count: Decodable { var count: Int, source: String }
            var video: String, sha256: String?, status: String, seconds: Double, error: String?, result: Count?
        }

        private func run(_ words: String..., status: Int32) async throws -> Program.Outcome {
            let outcome = try await Program().run(["batch", clips.path, "-o", results.path] + words)
            #expect(outcome.status == status, "\(outcome.complaint)")
            return outcome
        }

        @Test func `the table has every video, also those of the run before`() async throws {
            let lines = folder.file("all.jsonl")
            let cells = folder.file("all.csv")
            _ = try await run("--table", lines.path, status: 1)
            let first = try String(contentsOf: lines, encoding: .utf8)
            // The broken one is a video now; the others are not done again.
            try FileManager.default.removeItem(at: folder.file("clips/d.mp4"))
            try FileManager.default.copyItem(at: Clips.brief.get(), to: folder.file("clips/d.mp4"))
            let again = try await run("--resume", "--table", cells.path, status: 0)
            #expect(again.lines.count == 1)

            let rows = try first.split(separator: "\n").map { try Contract.decode(Row.self, from: String($0)) }
            #expect(rows.map(\.status) == ["done", "nothing", "failed"])
            #expect(rows.map(\.video) == ["a.mp4", "b, c.mp4", "d.mp4"].map { folder.file("clips/\($0)").path })
            let alone = try await Program.run("count", clips.appending(path: "a.mp4").path, "--format", "json")
            #expect(rows[0].result?.count == (try Contract.decode(Row.Count.self, from: alone.text)).count)
            #expect(rows[2].error?.isEmpty == false && rows[2].result == nil)

            let table = try String(contentsOf: cells, encoding: .utf8).split(separator: "\n").map(String.init)
            #expect(table.count == 4)
            #expect(table[0].hasPrefix("video,sha256,status,seconds,error,count,duration,frames,"))
            #expect(table[2].hasPrefix("\"\(folder.file("clips/b, c.mp4").path)\",\(rows[1].sha256 ?? "-"),nothing,"))
            #expect(table[3].contains("/d.mp4,\(rows[0].sha256 ?? "-"),done,"))
        }

        @Test func `the plan says what is there and what is done, and writes nothing`() async throws {
            struct Item: Decodable {
                var path: String, size: Int, sha256: String, task: String, options: [String], result: String, done: Bool
            }
            func plan() async throws -> [Item] {
                let outcome = try await run("--plan", "--", "--people", "all", status: 0)
                return try outcome.lines.map { try Contract.decode(Item.self, from: $0) }
            }
            let before = try await plan()
            #expect(before.map(\.result) == ["a.mp4.json", "b, c.mp4.json", "d.mp4.json"])
            #expect(before.allSatisfy { !$0.done && $0.task == "count" && $0.options == ["--people", "all"] })
            #expect(before[2].size == 8)
            #expect(before[2].sha256.count == 64)
            #expect(!FileManager.default.fileExists(atPath: results.path))
            _ = try await run("--", "--people", "all", status: 1)
            #expect(try await plan().map(\.done) == [true, true, false])
        }

        @Test func `a table that cannot be written is reported before any work`() async throws {
            for (words, status, told) in [
                (["--table", "all.parquet"], 64, "script/ray"), (["--table", "all.txt"], 64, ".csv or .jsonl"),
                (["--task", "pose", "--table", "all.csv"], 64, "neither with pose"),
                (["--format", "csv", "--table", "all.csv"], 64, "another --format"), (["--jobs", "0"], 64, "--jobs"),
                (["--table", folder.file("none/all.csv").path], 1, "does not exist"),
                (["--table", results.appending(path: "manifest.jsonl").path], 64, "overwrite"),
            ] as [([String], Int32, String)] {
                let outcome = try await Program().run(["batch", clips.path, "-o", results.path] + words)
                #expect(outcome.status == status, "\(words)")
                #expect(outcome.complaints.count == 1, "\(words)")
                #expect(outcome.complaint.contains(told), "\(outcome.complaint)")
                #expect(outcome.output.isEmpty)
            }
        }
    }
}
