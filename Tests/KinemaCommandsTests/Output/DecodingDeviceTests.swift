import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaMedia

extension CommandTests {
    /// Decoding by a device, which `Tests/Servers/va.c` stands for: it paints every picture in the grey of its place.
    struct DecodingDeviceTests {
        private let folder: TemporaryFolder
        /// A file where the device would be.
        private let device: URL
        private static let library = Result { try build() }

        init() throws {
            folder = try TemporaryFolder()
            device = folder.file("renderD128")
            try Data().write(to: device)
        }

        /// Compiles the stand-in in the place of the three libraries that FFmpeg loads; the folder they are in.
        private static func build() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            // The one symbol whose version FFmpeg asks for.
            let versions = folder.file("versions")
            try Data("VA_API_0.33.0 { global: vaCreateSurfaces; };\n".utf8).write(to: versions)
            let source = SharedData.package.appending(path: "Tests/Servers/va.c").path
            let empty = folder.file("empty.c").path
            try Data().write(to: URL(filePath: empty))
            // The first has all of it, since there is one device; the others are empty.
            for (name, source) in [("libva.so.2", source), ("libva-drm.so.2", empty), ("libva-x11.so.2", empty)] {
                let process = Process()
                process.executableURL = URL(filePath: "/usr/bin/env")
                process.arguments = [
                    "clang", "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-o", folder.file(name).path,
                    source,
                    "-Wl,-soname,\(name)", "-Wl,--version-script=\(versions.path)",
                ]
                try process.run()
                process.waitUntilExit()
                guard process.terminationStatus == 0 else {
                    throw MissingPart(reason: "clang, which comes with Swift, could not compile \(source)")
                }
            }
            return folder
        }

        private func environment(_ driver: String) throws -> [String: String] {
            ["LD_LIBRARY_PATH": try Self.library.get().url.path, "LIBVA_DRIVER_NAME": driver]
        }

        private func clip(_ name: String, _ words: String) throws -> URL {
            let url = folder.file(name)
            try Tool.ffmpeg(words, url)
            return url
        }

        /// One second of H.264 with pictures that are not decoded in the order in which they are shown.
        private func film() throws -> URL {
            try clip("film.mp4", "-f lavfi -i testsrc2=s=98x66:r=25:d=1 -c:v libx264 -bf 2")
        }

        /// The frames as a decoder process with the driver gives them.
        private func frames(
            _ input: MediaInput, _ choice: DecodingChoice, driver: String = "", diagnostics: DiagnosticCollector? = nil
        ) async throws -> [VideoFrame] {
            let script = folder.file("decoder-\(driver)")
            let variables = try environment(driver).map { "\($0)='\($1)'" }.joined(separator: " ")
            try Data("#!/bin/sh\n\(variables) exec '\(Program.url.path)' \"$@\"\n".utf8).write(to: script)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: script.path)
            var frames: [VideoFrame] = []
            let reading = try await VideoReader.read(
                input, isolation: .process(executable: script.path), decoding: choice, diagnostics: diagnostics)
            for try await element in reading { frames.append(element.feature) }
            return frames
        }

        private func choice(_ word: String) -> DecodingChoice {
            DecodingChoice("\(word):\(device.path)") ?? .software
        }

        @Test(arguments: ["vaapi", "auto"])
        func `a device's pictures arrive whole, in order and at their times`(word: String) async throws {
            let input = MediaInput.file(try film())
            let diagnostics = DiagnosticCollector()
            let found = try await frames(input, choice(word), diagnostics: diagnostics)
            let software = try await frames(input, .software)
            #expect(found.count == 25 && found.map(\.id) == software.map(\.id))
            #expect(diagnostics.diagnostics.isEmpty, "\(diagnostics.diagnostics)")
            let greys = try found.map { frame in
                #expect((frame.width, frame.height) == (98, 66))
                let pixels = try frame.bitmap().pixels
                // Every picture is of one grey to its last corner, but for the two levels that converting colours may cost.
                let greys = stride(from: 0, to: pixels.count, by: 4).map { pixels[$0] }
                #expect((greys.max() ?? 255) - (greys.min() ?? 0) <= 2)
                return Double(pixels[0]) * 219 / 255
            }
            // One level brighter from picture to picture, but for rounding.
            for (earlier, later) in zip(greys, greys.dropFirst()) { #expect(abs(later - earlier - 1) < 1, "\(greys)") }
        }

        @Test func `what a device does not decode is refused, or decoded by the processor and said so`() async throws {
            let film = MediaInput.file(try film())
            let expected = try await frames(film, .software).map { try $0.bitmap().pixels }
            for (driver, says) in [
                ("other", "does not decode this kind of h264 video"), ("lost", "returned no frame"),
                ("broken", "no driver for VA-API works"),
            ] {
                let refusal = await #expect(throws: KinemaError.self) {
                    try await frames(film, choice("vaapi"), driver: driver)
                }
                #expect(refusal?.message.contains(says) == true, "\(refusal?.message ?? "")")
                let diagnostics = DiagnosticCollector()
                let found = try await frames(film, choice("auto"), driver: driver, diagnostics: diagnostics)
                #expect(try found.map { try $0.bitmap().pixels } == expected)
                // Without a driver there is no device, which is nothing to be told.
                let told = diagnostics.diagnostics.map(\.code)
                #expect(told == (driver == "broken" ? [] : ["decoder.software"]), "\(driver): \(told)")
            }
        }

        @Test func `other codecs and pictures are left to the processor`() async throws {
            let vp9 = MediaInput.file(try clip("vp9.webm", "-f lavfi -i testsrc2=s=98x66:r=25:d=0.2 -c:v libvpx-vp9"))
            #expect(try await frames(vp9, choice("auto")).count == 5)
            await #expect(throws: KinemaError.self) { try await frames(vp9, choice("vaapi")) }
            let gif = MediaInput.file(try clip("moving.gif", "-f lavfi -i testsrc2=s=98x66:r=10:d=0.5"))
            let refusal = await #expect(throws: KinemaError.self) { try await frames(gif, choice("vaapi")) }
            #expect(refusal?.message.contains("does not decode this kind of gif video") == true)
            let picture = MediaInput.file(try clip("picture.jpg", "-f lavfi -i testsrc2=s=98x66 -frames:v 1"))
            let (one, other) = (try await frames(picture, choice("vaapi")), try await frames(picture, .software))
            #expect(try one.first?.bitmap().pixels == other.first?.bitmap().pixels)
        }

        @Test func `a driver may talk to devices for graphics and to nothing else`() async throws {
            let film = MediaInput.file(try film())
            // It gives pictures back only if a question to a terminal is refused by the sandbox.
            #expect(try await frames(film, choice("vaapi"), driver: "free").count == 25)
            var frames = 0
            await #expect(throws: KinemaError.self) {
                for try await _ in try await VideoReader.read(film, isolation: .none, decoding: choice("vaapi")) {
                    frames += 1
                }
            }
            #expect(frames == 0, "this process has the real library, and no device at that path")
        }

        @Test func `a driver with threads of its own decodes files but no streams`() async throws {
            let film = try film()
            #expect(try await frames(.file(film), choice("vaapi"), driver: "threaded").count == 25)
            let server = try LocalServer(.web, folder.url.path)
            let stream = MediaInput.stream(try StreamAddress("http://127.0.0.1:\(server.port)/film.mp4"))
            #expect(try await frames(stream, choice("vaapi")).count == 25)
            #expect(try await frames(stream, choice("auto"), driver: "threaded").count == 25)
            let refusal = await #expect(throws: KinemaError.self) {
                try await frames(stream, choice("vaapi"), driver: "threaded")
            }
            #expect(refusal?.message.contains("threads of its own") == true, "\(refusal?.message ?? "")")
        }

        @Test func `the command takes a device, and says in one line what is wrong with one`() async throws {
            let film = try film()
            let program = Program(environment: try environment(""))
            for sandbox in ["--sandbox", "--no-sandbox"] {
                let words = ["pose", film.path, sandbox, "--decode", "vaapi:\(device.path)", "--format", "jsonl"]
                let run = try await program.run(words)
                // Nobody is in a grey picture.
                #expect(run.status == 2 && run.lines.count == 25, "\(run.complaint)")
            }
            for (word, status, says) in [
                ("vaapi:/nowhere", Int32(1), "there is no /nowhere; omit --decode, or use --decode auto"),
                ("auto:/nowhere", 2, "no person was found"), ("vulkan", 64, "The value 'vulkan' is invalid"),
                ("vaapi:", 64, "is invalid"), ("software:/nowhere", 64, "is invalid"),
            ] {
                let run = try await Program.run("pose", film.path, "--decode", word)
                #expect(run.status == status && run.complaints.count == 1, "\(word): \(run.complaint)")
                #expect(run.complaint.contains(says), "\(word): \(run.complaint)")
            }
            let doctor = try await program.run(["doctor"])
            #expect(doctor.lines.contains { $0.contains("decoding") && $0.contains("software; ") }, "\(doctor.text)")
        }
    }
}
