import ArgumentParser
import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaCommands

extension CommandTests {
    /// Names of files that a shell hands over but that cannot be read as they are.
    struct ArgumentTests {
        private func complaint(_ arguments: [String], bytes: [[UInt8]]? = nil) -> (any Error)? {
            do { try ArgumentCheck.check(arguments, bytes: bytes) } catch { return error }
            return nil
        }

        @Test(arguments: [
            "-dash.mp4", "-h.mp4", "-das", "--dash.mp4", "--my film.mp4", "-1st.mov", "-\u{E9}t\u{E9}.mkv",
        ])
        func `a name that begins with a dash is no option, wherever it stands`(name: String) {
            for words in [
                ["pose"], ["count"], ["coach"], ["gesture"], ["trajectories"], ["toss"], ["classify", "--classifier"],
                ["train"], ["evaluate", "count"], ["batch"], ["watch"], ["studio", "--input"], ["history", "import"],
                ["pose", "in.mp4", "--overlay"], [],
            ] {
                let error = complaint(words + [name, "--format", "json"])
                #expect(error is ValidationError)
                #expect(error.map { "\($0)" }?.contains("write ./\(name)") == true, "\(words)")
            }
        }

        @Test(arguments: [
            ["--help"], ["-h"], ["count", "-"], ["count", "a.mp4", "--overlay=-x.mp4"], ["synth", "-o", "a.mp4"],
            ["synth", "--seed", "-12"], ["batch", "d", "-o", "out", "--", "-dash.mp4"], ["count", "--", "-dash.mp4"],
            ["toss", "./-dash.mp4", "--board", "-0.1,0.2"], [],
        ])
        func `options, numbers and what follows two dashes are left to the parser`(arguments: [String]) {
            #expect(complaint(arguments) == nil)
            #expect(complaint(arguments, bytes: arguments.map { Array($0.utf8) }) == nil)
        }

        @Test func `a misspelt command is refused with the nearest`() {
            for (word, wanted) in [
                ("cuont", "no command cuont; did you mean count?"), ("modles", "did you mean models?"),
                ("squats.mp4", "there is no command squats.mp4"),
            ] {
                #expect(complaint([word, "x"]).map { "\($0)" }?.hasSuffix(wanted) == true)
            }
            #expect(complaint(["help", "count"]) == nil)
            #expect(complaint(["/"]).map { "\($0)" }?.hasSuffix("did you mean kinema count /?") == true)
        }

        @Test func `a dashed name is refused in one line, and read with a path`() async throws {
            let folder = try TemporaryFolder()
            try FileManager.default.copyItem(at: Clips.squat.get(), to: folder.file("-dash.mp4"))
            let program = Program(folder: folder.url)
            for command in ["count", "pose", "toss"] {
                let run = try await program.run([command, "-dash.mp4"])
                #expect(run.status == 64 && run.output.isEmpty && run.complaints.count == 1, "\(run.complaint)")
                #expect(run.complaint.contains("write ./-dash.mp4"), "\(run.complaint)")
            }
            for arguments in [["./-dash.mp4"], ["--", "-dash.mp4"]] {
                let run = try await program.run(["pose", "--format", "csv"] + arguments)
                #expect(run.status == 0 && !run.lines.isEmpty, "\(run.complaint)")
            }
        }

        @Test func `a name that is not UTF-8 is called that, as an argument and in a folder`() async throws {
            let folder = try TemporaryFolder()
            let script = """
                name=$(printf 'caf\\351.mp4')
                mkdir clips && cp "$1" "clips/$name" && cp "$1" clips/good.mp4
                for command in count pose; do "$kinema" $command "clips/$name"; echo $?; done
                "$kinema" pose clips/good.mp4 --overlay "$name"; echo $?
                "$kinema" batch clips -o out >table; echo $?
                cat out/manifest.jsonl
                """
            let run = try await Program.shell(
                "cd \(folder.url.path)\n" + script, Clips.squat.get().path)
            #expect(Array(run.lines.prefix(4)) == ["65", "65", "65", "1"], "\(run.text)")
            #expect(
                run.complaints.count { $0.contains("the name is not UTF-8; rename the file") } >= 3, "\(run.complaint)")
            #expect(!run.complaint.contains("no such file"), "\(run.complaint)")
            #expect(run.lines.dropFirst(4).contains { $0.contains("the name is not UTF-8") }, "\(run.text)")
            #expect(FileManager.default.fileExists(atPath: folder.file("out/good.mp4.json").path))
        }
    }
}
