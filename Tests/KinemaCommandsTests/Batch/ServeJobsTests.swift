import Foundation
import KinemaTestSupport
import Testing

extension CommandTests {
    /// A job a line, an answer a line, whatever the lines hold.
    struct ServeJobsTests {
        private let folder: TemporaryFolder
        private let clip: URL

        init() throws {
            folder = try TemporaryFolder()
            clip = try Clips.squat.get()
        }

        private struct Answer: Decodable {
            struct Count: Decodable { var count: Int?, source: String? }
            var id: Int?, status: String, result: Count?, error: String?, code: Int32?, seconds: Double
        }

        /// A job in JSON; words with quotes go in as they are.
        private func job(_ id: Int, _ path: String, task: String = "count", options: [String] = []) -> String {
            let options = options.map { "\"\($0)\"" }.joined(separator: ",")
            return #"{"id":\#(id),"task":"\#(task)","path":"\#(path)","options":[\#(options)]}"#
        }

        private func serve(_ lines: [String], _ words: String...) async throws -> (Program.Outcome, [Answer]) {
            let input = folder.file("jobs.jsonl")
            try Data(lines.joined(separator: "\n").utf8).write(to: input)
            let outcome = try await Program.shell(#""$kinema" serve-jobs "${@:2}" < "$1""#, [input.path] + words)
            return (outcome, try outcome.lines.map { try Contract.decode(Answer.self, from: $0) })
        }

        @Test func `each job is answered with what its command writes`() async throws {
            let nobody = try Clips.nobody.get()
            let (outcome, answers) = try await serve([job(7, clip.path), "", job(8, nobody.path), job(9, clip.path)])
            #expect(outcome.status == 0)
            #expect(answers.map(\.id) == [7, 8, 9])
            #expect(answers.map(\.status) == ["done", "nothing", "done"])
            #expect(answers.allSatisfy { $0.seconds > 0 && $0.code == nil })
            let alone = try await Program.run("count", clip.path, "--format", "json")
            let result = alone.text.trimmingCharacters(in: .newlines)
            #expect(outcome.lines[0].contains("\"result\":\(result),"))
            #expect(answers[2].result?.count == answers[0].result?.count)
        }

        @Test func `a warning names its file once`() async throws {
            let film = folder.file("raw.h264")
            try Tool.ffmpeg("-i \(clip.path) -frames:v 12 -c:v libx264 -bf 0", film)
            let (outcome, answers) = try await serve([job(1, film.path)])
            #expect(answers.map(\.status) == ["done"])
            let warnings = outcome.complaints.filter { $0.contains("without a timestamp") }
            #expect(warnings.count == 1, "\(outcome.complaint)")
            #expect(warnings.allSatisfy { $0.hasPrefix("warning: \(film.path): 12 frames") }, "\(outcome.complaint)")
        }

        @Test func `invalid and hostile jobs get one line each and end nothing`() async throws {
            let fifo = folder.file("fifo").path
            mkfifo(fifo, 0o600)
            let written = folder.file("written.svg").path
            try Data("no video".utf8).write(to: folder.file("text.mp4"))
            let cases: [(line: String, code: Int32, word: String)] = [
                ("no JSON at all", 64, "not a job"), (#"{"id":1}"#, 64, "not a job"), (#"[1,2]"#, 64, "not a job"),
                (#"{"id":1.5,"task":"count","path":"/a"}"#, 64, "not a job"),
                (String(repeating: "[", count: 60_000), 64, "not a job"),
                (String(repeating: "a", count: 200_000), 64, "65536 bytes"),
                (job(1, clip.path, task: "rm"), 64, "unknown task rm"), (job(1, "-"), 64, "begins with /"),
                (job(1, "camera"), 64, "begins with /"), (job(1, "rtsp://127.0.0.1/"), 64, "begins with /"),
                (job(1, ""), 65, "1 to 4096"), (job(1, "/" + String(repeating: "a", count: 5000)), 65, "1 to 4096"),
                (job(1, clip.path + #"\u0000.mp4"#), 65, "no NUL"),
                (job(1, "/none/at/all.mp4"), 65, "no such file; check the path"),
                (job(1, folder.url.path), 65, "is a folder; give a video"),
                (job(1, fifo), 65, "not a file"), (job(1, folder.file("text.mp4").path), 65, "not a video"),
                (job(1, clip.path, options: ["--plot", written]), 64, "--plot"),
                (job(1, clip.path, options: ["--plot=\(written)"]), 64, "--plot"),
                (job(1, clip.path, options: ["--overlay", written]), 64, "--overlay"),
                (job(1, clip.path, options: ["--format", "text"]), 64, "--format"),
                (job(1, clip.path, options: ["--no-sandbox"]), 64, "--no-sandbox"),
                (job(1, clip.path, options: ["--", "/etc/passwd"]), 64, "cannot use --"),
                (
                    job(1, clip.path, options: ["--peple=all"]), 64,
                    "Unknown option '--peple'. Did you mean '--people'?; see kinema count --help"
                ),
                (job(1, clip.path, options: ["/etc/passwd"]), 64, "nexpected argument"),
                (job(1, clip.path, options: ["--people", "nobody"]), 64, "people"),
                (job(1, clip.path, options: ["--hands"]), 64, "hands"),
                (job(1, clip.path, options: Array(repeating: "--raw", count: 65)), 64, "at most 64"),
            ]
            let (outcome, answers) = try await serve(cases.map(\.line) + [job(2, clip.path)])
            #expect(outcome.status == 0)
            #expect(answers.count == cases.count + 1)
            for (answer, wanted) in zip(answers, cases) {
                #expect(answer.status == "failed", "\(wanted.line.prefix(80))")
                #expect(answer.code == wanted.code, "\(wanted.line.prefix(80)): \(answer.error ?? "")")
                #expect(answer.error?.contains(wanted.word) == true, "\(wanted.line.prefix(80)): \(answer.error ?? "")")
            }
            #expect(answers.last?.status == "done")
            #expect(!FileManager.default.fileExists(atPath: written))
        }

        @Test func `one job at a time has all cores, as the command`() async throws {
            let film = try Clips.parted.get().path
            let (outcome, _) = try await serve([job(1, film, task: "pose")])
            let alone = try await Program(isApart: true).run(["pose", film, "--format", "json"])
            let result = alone.text.replacing("\n", with: "")
            #expect(alone.status == 0 && outcome.text.contains("\"result\":\(result),"))
        }

        @Test func `parts of two processes are joined to what one has`() async throws {
            let film = try Clips.parted.get().path
            let parts = folder.file("parts")
            try FileManager.default.createDirectory(at: parts, withIntermediateDirectories: true)
            let common = ["--part-length=4"]
            for own in [[0, 2], [1, 3]] {
                let jobs = own.map { job($0, film, task: "pose", options: common + ["--part=\($0)"]) }
                let (outcome, answers) = try await serve(jobs, "--jobs", "2")
                #expect(answers.allSatisfy { $0.status == "done" })
                for (line, answer) in zip(outcome.lines, answers) {
                    let match = try #require(line.firstMatch(of: /"result":(.+),"seconds":[0-9.]+}$/))
                    try Data(match.output.1.utf8).write(to: parts.appending(path: "\(try #require(answer.id)).json"))
                }
            }
            let words = ["pose", film, "--format", "jsonl"] + common
            let joined = try await Program().run(words + ["--parts", parts.path])
            #expect(joined.complaint.contains("4 of 4 parts"))
            #expect(joined.output == (try await Program().run(words + ["--jobs", "2"]).output))
            let (_, answers) = try await serve([
                job(1, film, options: common + ["--part=4"]), job(2, clip.path, options: ["--part=0"]),
                job(3, film, options: ["--parts=\(parts.path)"]),
            ])
            #expect(answers.map(\.status) == ["failed", "done", "failed"])
            #expect(answers[0].error?.contains("4 parts, 0 to 3") == true)
        }

        @Test func `a polite kill answers the job at hand`() async throws {
            let script = """
                mkfifo "$1/in"; "$kinema" serve-jobs < "$1/in" > "$1/out" & pid=$!
                exec 3> "$1/in"; cat "$1/jobs" >&3
                # The first answer shows that signals are handled and that both lines, written as one, were read.
                until [ -s "$1/out" ]; do sleep 0.05; done
                sleep 1; kill -TERM $pid; wait $pid; echo "$?"; cat "$1/out"
                """
            let jobs = [job(4, "/none/at/all.mp4"), job(5, try Clips.long.get().path)]
            try Data((jobs.joined(separator: "\n") + "\n").utf8).write(to: folder.file("jobs"))
            let outcome = try await Program.shell(script, folder.url.path)
            #expect(outcome.lines.first == "130")
            let answer = try Contract.decode(Answer.self, from: try #require(outcome.lines.last))
            #expect(answer.id == 5)
            #expect(answer.code == 130)
        }

        @Test func `it ends when nobody takes its answers, although further lines may come`() async throws {
            let script = """
                mkfifo "$1/in"; exec 3<>"$1/in"; echo x >&3
                timeout -s KILL 30 "$kinema" serve-jobs --jobs 4 < "$1/in" > /dev/full; echo "$?"
                """
            #expect(try await Program.shell(script, folder.url.path).lines == ["1"])
        }

        @Test func `without the models the answer says that no job will do`() async throws {
            let input = folder.file("jobs.jsonl")
            try Data(job(1, clip.path).utf8).write(to: input)
            let script = #"KINEMA_HOME="$2" "$kinema" serve-jobs < "$1""#
            let outcome = try await Program.shell(script, input.path, folder.file("none").path)
            #expect(outcome.status == 0)
            #expect(outcome.text.contains(#""missing":true"#))
            #expect(outcome.text.contains("installed"))
        }
    }
}
