import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

extension CommandTests {
    /// Ctrl-C in mid-run: what is done is kept.
    struct InterruptionTests {
        private let folder: TemporaryFolder
        private let clip: URL

        init() throws {
            folder = try TemporaryFolder()
            clip = try Clips.long.get()
        }

        /// Runs until something is written, then presses Ctrl-C, or sends another signal.
        private func interrupted(
            _ words: [String], by signal: Int32 = SIGINT, when isUnderWay: (RunningProgram) -> Bool
        ) async throws -> Program.Outcome {
            let running = try Program().start(words)
            try #require(try await running.holds { isUnderWay(running) }, "never got under way")
            running.interrupt(signal)
            let outcome = try await running.outcome(within: .seconds(60))
            #expect(outcome.status == 130 && outcome.complaint.isEmpty, "\(outcome.status) \(outcome.complaint)")
            return outcome
        }

        @Test func `lines and overlay hold the frames so far`() async throws {
            let overlay = folder.file("overlay.mp4")
            let run = try await interrupted(["pose", clip.path, "--format", "jsonl", "--overlay", overlay.path]) {
                $0.output.count { $0 == UInt8(ascii: "\n") } >= 40
            }
            #expect(run.text.hasSuffix("\n") && (40..<800).contains(run.lines.count))
            let frames = try run.lines.map { try Contract.decode(Contract.Frame.self, from: $0) }
            let drawn = try await Clips.frames(of: overlay)
            #expect(drawn.count == frames.count)
            #expect(drawn.last.map { abs($0.time - Double(drawn.count - 1) / Double(Clips.rate)) < 0.01 } == true)
        }

        @Test func `json and exports are whole`() async throws {
            let table = folder.file("poses.csv")
            let run = try await interrupted(
                ["pose", clip.path, "--format", "json", "--export", "csv", "--output", table.path]
            ) { $0.output.count > 40_000 }
            let poses = try Contract.decode(Contract.Poses.self, from: run.text)
            let rows = try String(contentsOf: table, encoding: .utf8).split(separator: "\n")
            #expect(rows.count == poses.frames.count + 1 && rows.count < 800)
        }

        private static let interruptions = [
            ("pose", SIGTERM), ("count", SIGINT), ("coach --exercise squat", SIGTERM), ("gesture", SIGINT),
            ("trajectories", SIGTERM), ("toss --view board", SIGINT),
        ]

        @Test(arguments: Sweep.of(interruptions, or: [1, 3, 4].map { interruptions[$0] }))
        func `the report so far is printed and every frame of it is in the overlay`(
            command: String, signal: Int32
        ) async throws {
            let overlay = folder.file("overlay.mp4")
            let words = command.split(separator: " ").map(String.init)
            let run = try await interrupted(
                words + [clip.path, "--format", "json", "--overlay", overlay.path], by: signal
            ) { _ in
                ((try? Data(contentsOf: overlay))?.count ?? 0) > 60_000
            }
            let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            let frames = try #require(report["frames"] as? Int ?? (report["frames"] as? [Any])?.count)
            #expect((15..<1200).contains(frames))
            #expect(try await Clips.frames(of: overlay).count == frames)
        }

        @Test func `the chart and the evidence so far are written`() async throws {
            let (chart, why, overlay) = (folder.file("x.svg"), folder.file("x.jsonl"), folder.file("overlay.mp4"))
            let run = try await interrupted(
                ["count", clip.path, "--plot", chart.path, "--explain", why.path, "--overlay", overlay.path],
                by: SIGTERM
            ) { _ in ((try? Data(contentsOf: overlay))?.count ?? 0) > 60_000 }
            #expect(run.text.contains("repetition"))
            #expect(try String(contentsOf: chart, encoding: .utf8).hasSuffix("</svg>\n"))
            // There may be nothing to explain yet.
            #expect(FileManager.default.fileExists(atPath: why.path))
        }

        @Test func `a rendered clip is playable as far as it went`() async throws {
            let video = folder.file("synth.mp4")
            _ = try await interrupted(["synth", "--scene", "squat", "--repetitions", "50", "-o", video.path]) { _ in
                ((try? Data(contentsOf: video))?.count ?? 0) > 100_000
            }
            #expect(try await Clips.frames(of: video).count > 10)
            // The truth is of the whole clip, which this is not.
            #expect(!FileManager.default.fileExists(atPath: folder.file("synth.json").path))
        }

        @Test func `on a machine of one core it is heard as well`() async throws {
            let run = try await Program.shell(
                """
                set -m; cd "$1"; taskset -c 0 "$kinema" synth --scene squat --repetitions 50 -o synth.mp4 >/dev/null & pid=$!
                until [ "$(stat -c %s synth.mp4 2>/dev/null || echo 0)" -gt 50000 ]; do sleep 0.05; done
                kill -INT $pid; wait $pid
                """, folder.url.path)
            #expect(run.status == 130, "\(run.status) \(run.complaint)")
        }

        /// At once, when the signal may come before anybody listens, and later, when it waits for standard input.
        @Test(arguments: ["0", "2"], ["INT", "TERM"])
        func `standard input that never comes can be given up`(after seconds: String, by signal: String) async throws {
            let run = try await Program.shell(
                """
                set -m; mkfifo pipe; exec 3<>pipe; "$kinema" pose - <pipe & pid=$!
                # Until it minds signals: bit 14 is SIGTERM, whose handler is the last to be set.
                until [ $((0x$(awk '/SigCgt/ {print $2}' /proc/$pid/status) & 0x4000)) -ne 0 ]; do sleep 0.02; done
                sleep $1; kill -$2 $pid; wait $pid
                """, seconds, signal)
            #expect(run.status == 130, "\(run.status) \(run.complaint)")
        }
    }
}
