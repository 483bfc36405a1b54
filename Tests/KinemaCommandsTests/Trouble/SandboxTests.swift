import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import Kinema
@testable import KinemaMedia

extension CommandTests {
    /// Decoding in a process that can do nothing else: the same pictures, and whatever becomes of it, one line.
    struct SandboxTests {
        private let folder: TemporaryFolder
        private let isolation: DecoderIsolation
        /// The command with its test hooks: faults that a file asks for in its last line.
        private let faulty: String

        init() throws {
            folder = try TemporaryFolder()
            isolation = .process(executable: Program.url.path)
            let script = folder.file("faulty")
            try Data("#!/bin/sh\nKINEMA_DECODER_FAULTS=1 exec '\(Program.url.path)' \"$@\"\n".utf8).write(to: script)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path)
            faulty = script.path
        }

        private func clip(_ name: String, _ words: String) throws -> URL {
            let url = folder.file(name)
            try Tool.ffmpeg(words, url)
            return url
        }

        /// A clip that makes its decoder fail before the tenth picture.
        private func clip(with fault: DecoderFault.Kind) throws -> URL {
            let url = folder.file("\(fault.rawValue).mp4")
            var bytes = try Data(contentsOf: Clips.squat.get())
            bytes.append(Data("\nkinema-fault \(fault.rawValue) 9\n".utf8))
            try bytes.write(to: url)
            return url
        }

        private func frames(_ input: MediaInput, _ isolation: DecoderIsolation) async throws -> [VideoFrame] {
            var frames: [VideoFrame] = []
            for try await element in try await VideoReader.read(input, isolation: isolation) {
                frames.append(element.feature)
            }
            return frames
        }

        @Test(arguments: [
            ("plain.mp4", "-f lavfi -i testsrc2=s=98x66:r=25:d=1 -c:v libx264 -bf 2"),
            ("ten-bit.mkv", "-f lavfi -i testsrc2=s=96x64:r=25:d=0.4 -c:v libx264 -pix_fmt yuv420p10le"),
            ("full-colour.mkv", "-f lavfi -i testsrc2=s=96x64:r=25:d=0.4 -c:v libx264rgb"),
            ("wide-pixels.mp4", "-f lavfi -i testsrc2=s=96x64:r=25:d=0.4 -vf setsar=2 -c:v libx264"),
            ("vp9.webm", "-f lavfi -i testsrc2=s=98x66:r=25:d=0.4 -c:v libvpx-vp9"),
            ("motion.avi", "-f lavfi -i testsrc2=s=98x66:r=25:d=0.4 -c:v mjpeg"),
            ("old.mpg", "-f lavfi -i testsrc2=s=98x66:r=25:d=0.4 -c:v mpeg2video"),
            ("moving.gif", "-f lavfi -i testsrc2=s=98x66:r=10:d=0.5"),
            ("raw.y4m", "-f lavfi -i testsrc2=s=97x65:r=25:d=0.2 -pix_fmt yuv444p"),
            ("picture.png", "-f lavfi -i testsrc2=s=97x65 -frames:v 1 -pix_fmt rgba"),
            ("picture.jpg", "-f lavfi -i testsrc2=s=97x65 -frames:v 1"),
            ("picture.bmp", "-f lavfi -i testsrc2=s=97x65 -frames:v 1"),
            ("picture.webp", "-f lavfi -i testsrc2=s=97x65 -frames:v 1"),
            ("grey.png", "-f lavfi -i testsrc2=s=97x65 -frames:v 1 -pix_fmt gray16be"),
        ])
        func `every picture is the same apart as in this process`(name: String, words: String) async throws {
            let url = try clip(name, words)
            let (here, apart) = (try await frames(.file(url), .none), try await frames(.file(url), isolation))
            #expect(!here.isEmpty && here.map(\.id) == apart.map(\.id))
            for (one, other) in zip(here, apart) {
                #expect((one.width, one.height) == (other.width, other.height))
                #expect(try one.bitmap().pixels == other.bitmap().pixels)
            }
        }

        @Test(arguments: [[], ["--no-sandbox"]]) func `without FFmpeg it ends with one line`(words: [String])
            async throws
        {
            // The loader takes the first file of the name, and refuses one that is no library.
            for major in 50...80 { try Data().write(to: folder.file("libavutil.so.\(major)")) }
            let program = Program(environment: ["LD_LIBRARY_PATH": folder.url.path])
            let run = try await program.run(["count", Clips.squat.get().path] + words)
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(run.complaints.count == 1 && run.complaint.contains("FFmpeg") && run.complaint.contains("install"))
            let decoder = try await program.run([DecoderService.argument])
            #expect(decoder.status == 69 && decoder.output.isEmpty && decoder.complaint.isEmpty)
        }

        @Test func `pictures that somebody keeps stay as they were`() async throws {
            let url = try Clips.squat.get()
            let kept = try await frames(.file(url), isolation)
            let sums = try kept.map { try $0.bitmap().pixels.reduce(0) { $0 &+ Int($1) } }
            let again = try await frames(.file(url), .none).map { try $0.bitmap().pixels.reduce(0) { $0 &+ Int($1) } }
            #expect(kept.count > 30 && sums == again)
        }

        @Test(arguments: [
            (DecoderFault.Kind.crash, "the decoder crashed or ran out of memory (signal 11)"),
            (.program, "made a forbidden system call"), (.file, "the decoder crashed"),
            (.network, "the decoder crashed"),
            (.memory, "the decoder crashed or ran out of memory"), (.loop, "no frame arrived after 1 s of computing"),
            (.stop, "no frame arrived within 10 s"),
        ])
        func `a failing decoder ends only its own input, with one line`(
            fault: DecoderFault.Kind, says: String
        ) async throws {
            let (bad, good) = (MediaInput.file(try clip(with: fault)), MediaInput.file(try Clips.squat.get()))
            var limits = DecoderLimits()
            if fault == .loop { limits.timeForPicture = .seconds(1) }
            // Loading the decoder counts too.
            if fault == .stop { limits.patience = .seconds(10) }
            let failing = try IsolatedDecoder(
                bad, ReadingOptions(), executable: faulty, cancellation: CancellationFlag(), limits: limits)
            async let others = frames(good, isolation)
            var read = 0
            let failure = #expect(throws: KinemaError.self) { while try failing.next() != nil { read += 1 } }
            #expect(read == 9)
            #expect(
                failure?.code == .unreadableInput && failure?.message.contains(says) == true,
                "\(failure?.message ?? "")")
            #expect(failure?.file == bad.source && failure?.time != nil)
            #expect(try await others.count == frames(good, .none).count)
        }

        @Test func `a decoder that is killed once costs a file in parts nothing`() async throws {
            let film = folder.file("film.mp4")
            try (Data(contentsOf: Clips.parted.get()) + Data("\nkinema-fault crash 9\n".utf8)).write(to: film)
            // The third process crashes.
            let script = folder.file("once")
            let text = """
                #!/bin/sh
                n=1; until mkdir "$0-$n" 2>/dev/null; do n=$((n + 1)); done
                [ $n = 3 ] && export KINEMA_DECODER_FAULTS=1
                exec '\(Program.url.path)' "$@"

                """
            try Data(text.utf8).write(to: script)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path)
            func poses(_ isolation: DecoderIsolation) async throws -> [[Pose]] {
                var pipeline = PosePipeline(options: BodyPoseOptions())
                (pipeline.jobs, pipeline.partLength, pipeline.needsPictures) = (2, 4, false)
                var poses: [[Pose]] = []
                for try await element in pipeline(try await VideoReader.read(.file(film), isolation: isolation)) {
                    poses.append(element.feature.poses)
                }
                return poses
            }
            let killed = try await poses(.process(executable: script.path))
            #expect(FileManager.default.fileExists(atPath: script.path + "-4"))
            #expect(try await killed == poses(isolation))
        }

        @Test func `the command reports it in one line, and a batch continues`() async throws {
            let bad = try clip(with: .crash)
            let environment = [DecoderFault.variable: "1"]
            let run = try await Program(environment: environment).run(["count", bad.path])
            #expect(run.status == 65 && run.complaints.count == 1 && run.output.isEmpty, "\(run.complaint)")
            #expect(run.complaint.contains("the decoder crashed"))
            // Without the variable the line means nothing, and without the sandbox nobody looks for it.
            #expect(try await Program(isApart: true).run(["count", bad.path]).status == 0)
            #expect(try await Program(environment: environment).run(["count", "--no-sandbox", bad.path]).status == 0)
            let good = folder.file("good.mp4")
            try FileManager.default.copyItem(at: Clips.squat.get(), to: good)
            let batch = try await Program(environment: environment).run(
                ["batch", bad.path, good.path, "-o", folder.file("out").path])
            #expect(batch.status == 1, "\(batch.complaint)")
            let manifest = try String(contentsOf: folder.file("out").appending(path: "manifest.jsonl"), encoding: .utf8)
            let lines = manifest.split(separator: "\n")
            #expect(lines.contains { $0.contains("crash.mp4") && $0.contains("the decoder crashed") }, "\(manifest)")
            #expect(lines.contains { $0.contains("good.mp4") && !$0.contains("the decoder crashed") })
        }

        @Test func `a decoder process is confined, and ends with its reader`() async throws {
            let decoder = try IsolatedDecoder(
                .file(try Clips.squat.get()), ReadingOptions(), executable: Program.url.path,
                cancellation: CancellationFlag())
            _ = try decoder.next()
            let process = try #require(children().first, "no child of this process decodes")
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            #expect(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1"), "\(status)")
            // Its channel, its memory, its file, nothing of this process's.
            let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
            let targets = open.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)")
            }
            let known = ["/dev/null", "socket:", "/memfd:kinema-pictures", try Clips.squat.get().path, "anon_inode:"]
            #expect(targets.allSatisfy { target in known.contains { target.hasPrefix($0) } }, "\(targets)")
            withExtendedLifetime(decoder) {}
        }

        /// Decoder processes that this process has started.
        private func children() throws -> [Int] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(Int.init).filter { process in
                let words = (try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)) ?? ""
                let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
                return words.contains(DecoderService.argument)
                    && status.contains("PPid:\t\(ProcessInfo.processInfo.processIdentifier)\n")
            }
        }

        @Test func `A child process decodes JPEG pictures alike, and a bad one or a killed decoder costs one`() throws {
            let url = try clip("one.jpg", "-f lavfi -i testsrc2=s=97x65 -frames:v 1")
            let jpeg = try Data(contentsOf: url)
            let id = TemporalSegmentIdentifier(source: "test", range: 0..<1, timescale: 30)
            let here = try JPEGFrameDecoder(.none, maximumWidth: 640, maximumHeight: 640)
            let apart = try JPEGFrameDecoder(isolation, maximumWidth: 640, maximumHeight: 640)
            let expected = try here.frame(jpeg, id: id).bitmap().pixels
            for _ in 0..<20 { #expect(try apart.frame(jpeg, id: id).bitmap().pixels == expected) }
            let broken = #expect(throws: KinemaError.self) { try apart.frame(jpeg.prefix(jpeg.count / 2), id: id) }
            #expect(broken?.message == JPEGDecoder.damaged.message)
            for process in try children() { kill(pid_t(process), SIGKILL) }
            #expect(throws: KinemaError.self) { try apart.frame(jpeg, id: id) }
            #expect(try apart.frame(jpeg, id: id).bitmap().pixels == expected)
        }

        @Test func `a stream is read through one port and cannot reach another machine of this network`() async throws {
            _ = try clip("film.mp4", "-f lavfi -i testsrc2=s=98x66:r=25:d=1 -c:v libx264")
            let server = try LocalServer(.web, folder.url.path)
            let address = MediaInput.stream(try StreamAddress("http://127.0.0.1:\(server.port)/film.mp4"))
            let (here, apart) = (try await frames(address, .none), try await frames(address, isolation))
            #expect(here.count == 25 && here.map(\.id) == apart.map(\.id))
            let reach = NetworkReach(of: try StreamAddress("http://192.168.1.5/film.mp4"))
            #expect(reach.endpoints(of: "192.168.1.5", port: 80).allowed.count == 1)
            #expect(reach.endpoints(of: "192.168.1.6", port: 80).allowed.isEmpty)
            #expect(reach.endpoints(of: "8.8.8.8", port: 80).allowed.count == 1)
        }
    }
}
