import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

extension CommandTests {
    /// Every command on cameras and streams: a filter that plays a rendered clip for a camera, and real servers.
    @Suite(.tags(.realTime)) struct LiveCommandTests {
        private struct Live: Decodable {
            struct Tally: Decodable { var arrived: Int, analysed: Int, dropped: Int }
            var live: Tally
        }

        /// The clip of one squat, 4 s at 15 frames a second, as a camera would show it.
        private func camera() throws -> String { "camera:lavfi:movie=\(try Clips.squat.get().path)" }

        private func expectSettled(_ run: Program.Outcome, _ frames: Int) throws {
            let live = try Contract.decode(Live.self, from: run.text).live
            #expect(live.arrived == live.analysed + live.dropped && live.analysed == frames, "\(live)")
            let line = "\(live.arrived) frames arrived: \(live.analysed) analysed, \(live.dropped) dropped"
            #expect(run.complaints.contains { $0.hasSuffix(line) }, "\(run.complaint)")
        }

        @Test func `a camera is counted with an overlay of its own times`() async throws {
            let folder = try TemporaryFolder()
            let overlay = folder.file("overlay.mp4")
            let run = try await Program.run("count", try camera(), "--format", "json", "--overlay", overlay.path)
            #expect(run.status == 0, "\(run.complaint)")
            let count = try Contract.decode(Contract.Count.self, from: run.text)
            // How much is counted depends on how many frames the machine can look at.
            #expect(count.source == (try camera()))
            try expectSettled(run, count.frames)
            let drawn = try await Clips.frames(of: overlay)
            #expect(drawn.count == count.frames)
            // Whatever was dropped, each frame stands where the clip has it: a multiple of a frame's time.
            let places = drawn.map { $0.time * Double(Clips.rate) }
            #expect(places.allSatisfy { abs($0.rounded() - $0) < 0.05 }, "\(places)")
            #expect(try #require(drawn.last).time > 3.5)
        }

        @Test(
            arguments: [
                ["pose"], ["coach", "--exercise", "squat"], ["gesture"], ["trajectories"], ["toss"],
                ["toss", "--view", "board"],
            ])
        func `every command reads a camera and stops when it is told`(words: [String]) async throws {
            let run = try await Program().run(
                [words[0], try camera(), "--for", "0.8", "--format", "json"] + words.dropFirst())
            // Nobody may be found in so short a time, or nothing fly.
            #expect(run.status == 0 || run.status == 2, "\(run.complaint)")
            #expect(run.complaints.contains { $0.contains("frames arrived: ") }, "\(run.complaint)")
            let object = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            if let duration = object["duration"] as? Double { #expect(duration <= 0.9, "\(duration)") }
        }

        @Test func `a server that signs its own certificate is read when its authority is named or nobody is asked`()
            async throws
        {
            let folder = try TemporaryFolder()
            let clip = try Clips.squat.get()
            try FileManager.default.copyItem(at: clip, to: folder.file("clip.mp4"))
            let web = try LocalServer(.web, folder.url.path)
            let server = try LocalServer(.tls, "\(web.port)", folder.url.path)
            let words = ["pose", "https://localhost:\(server.port)/clip.mp4", "--for", "0.5", "--format", "jsonl"]
            let refused = try await Program(isApart: true).run(words)
            #expect(refused.status == 65 && refused.complaints.count == 1, "\(refused.complaint)")
            #expect(
                refused.complaint.contains("certificate is not trusted") && refused.complaint.contains("--insecure"))
            var informed = Program()
            informed.environment["SSL_CERT_FILE"] = folder.file("own.pem").path
            for run in [try await informed.run(words), try await Program(isApart: true).run(words + ["--insecure"])] {
                #expect(run.status == 0 && !run.lines.isEmpty, "\(run.complaint)")
            }
        }

        @Test func `a small picture with much text takes no more memory than one without`() async throws {
            let folder = try TemporaryFolder()
            let script = SharedData.package.appending(path: "Tests/Servers/hostile.py")
            let made = try Process.run(URL(filePath: "/usr/bin/python3"), arguments: [script.path, folder.url.path])
            made.waitUntilExit()
            // 192 MB of text and as much for a profile come to 455 MB where they are unpacked; the program alone has 185 MB.
            let measured = """
                import resource, subprocess, sys
                subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
                """
            for name in ["text.png", "profile.png", "text.apng"] {
                let run = try await Program.shell(
                    #"python3 -c "$1" "$kinema" pose "$2""#, measured, folder.file(name).path)
                let megabytes = try #require(Int(run.text.filter(\.isNumber)), "\(run.complaint)")
                #expect(megabytes > 50 && megabytes < 300, "\(name): \(megabytes) MB")
            }
        }

        @Test func `a file is read only as far as it is asked for`() async throws {
            let run = try await Program.run("pose", try Clips.squat.get().path, "--for", "1", "--format", "jsonl")
            #expect(run.status == 0 && run.lines.count == Clips.rate, "\(run.lines.count) \(run.complaint)")
            let wrong = try await Program.run("pose", "camera", "--for", "0")
            #expect(wrong.status == 64)
        }

        @Test func `a stream whose server is killed and started again is counted on`() async throws {
            let server = try LocalServer(.rtsp, Clips.squat.get().path)
            let address = "rtsp://eye:sesame@127.0.0.1:\(server.port)/film"
            let running = try Program().start(["pose", address, "--format", "jsonl"])
            func lines() -> Int { running.output.count { $0 == UInt8(ascii: "\n") } }
            try #require(try await running.holds { lines() >= 10 }, "nothing was analysed")
            server.stop()
            try await Task.sleep(for: .seconds(1))
            let before = lines()
            try server.start()
            try #require(try await running.holds { lines() >= before + 10 }, "it did not go on")
            running.interrupt()
            let run = try await running.outcome()
            #expect(run.status == 130, "\(run.complaint)")
            #expect(!run.complaint.contains("sesame") && !run.text.contains("sesame"))
            let shown = "kinema: rtsp://127.0.0.1:\(server.port)/film"
            #expect(run.complaints.contains { $0.hasPrefix("\(shown): lost: ") }, "\(run.complaint)")
            #expect(run.complaints.contains("\(shown): back"), "\(run.complaint)")
            #expect(
                run.complaints.last?.contains("frames arrived: \(run.lines.count) analysed") == true, "\(run.complaint)"
            )
            let frames = try run.lines.map { try Contract.decode(Contract.Frame.self, from: $0) }
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
            #expect(zip(frames, frames.dropFirst()).contains { $1.time - $0.time > 0.9 }, "the gap is not told")
        }

        @Test func `what cannot be reached is unreadable in one line without the password`() async throws {
            let server = try LocalServer(.web, Clips.folder.get().url.path)
            let port = server.port
            server.stop()
            for input in ["rtsp://eye:sesame@127.0.0.1:\(port)/a", "http://eye:sesame@127.0.0.1:\(port)/a?pwd=sesame"] {
                for command in ["pose", "count", "coach", "gesture", "trajectories", "toss"] {
                    let run = try await Program.run(command, input)
                    #expect(run.status == 65 && run.complaints.count == 1, "\(command): \(run.complaint)")
                    #expect(!run.complaint.contains("sesame"), "\(run.complaint)")
                }
            }
            let missing = try await Program.run("count", "camera:/dev/video63")
            #expect(missing.status == 65 && missing.complaints.count == 1, "\(missing.complaint)")
            let wrong = try await Program.run("count", "rtmp://example.invalid/a")
            #expect(wrong.status == 64 && wrong.complaints.count == 1, "\(wrong.complaint)")
        }

        @Test func `a film on a web server is counted like a file`() async throws {
            let clip = try Clips.squat.get()
            let server = try LocalServer(.web, clip.deletingLastPathComponent().path)
            let far = try await Program(isApart: true).run([
                "pose", "http://127.0.0.1:\(server.port)/\(clip.lastPathComponent)", "--format", "jsonl",
            ])
            let near = try await Program.run("pose", clip.path, "--format", "jsonl")
            #expect(far.status == 0 && far.output == near.output && far.complaint.isEmpty, "\(far.complaint)")
        }
    }
}
