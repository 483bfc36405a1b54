import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import KinemaSynth
import Testing

extension CommandTests {
    /// Every broken input gives one clear line and the contract's exit code.
    struct BadInputTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        /// Runs `pose` and `count`; both say the same one line.
        private func expect(
            _ status: Int32, _ words: String, for input: String, sourceLocation: SourceLocation = #_sourceLocation
        ) async throws {
            for command in ["pose", "count"] {
                let run = try await Program.run(command, input, "--format", "jsonl", sourceLocation: sourceLocation)
                #expect(run.status == status, "\(run.complaint)", sourceLocation: sourceLocation)
                #expect(run.complaints.count == 1, "\(run.complaint)", sourceLocation: sourceLocation)
                #expect(
                    run.complaint.hasPrefix("kinema: \(input): ") && run.complaint.contains(words),
                    "\(run.complaint)", sourceLocation: sourceLocation)
            }
        }

        private func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
            try Data(bytes).write(to: folder.file(name))
            return folder.file(name).path
        }

        @Test func `what is no video is unreadable`() async throws {
            try await expect(65, "no such file", for: folder.file("missing.mp4").path)
            try await expect(65, "folder", for: folder.url.path)
            try await expect(65, "empty", for: file("empty.mp4", []))
            try await expect(65, "not a video or image", for: file("text.mp4", "No film.\n".utf8))
            let sound = folder.file("sound.mp4")
            try Tool.ffmpeg("-f lavfi -i sine=d=1 -c:a aac", sound)
            try await expect(65, "only sound", for: sound.path)
        }

        @Test func `an animated WebP is named for what it is`() async throws {
            // A canvas of 16 x 16 with the flag of animation, and no picture (RFC 9649, 2.7).
            let head: [UInt8] = [0x0A, 0, 0, 0, 2, 0, 0, 0, 15, 0, 0, 15, 0, 0]
            let bytes = Array("RIFF".utf8) + [22, 0, 0, 0] + Array("WEBPVP8X".utf8) + head
            let path = try file("moves.webp", bytes)
            try await expect(65, "is an animated WebP, which cannot be read; convert it to a GIF", for: path)
            let piped = try await Program.shell("cat \"$1\" | $kinema count -", path)
            #expect(piped.status == 65 && piped.complaint.contains("-: is an animated WebP"), "\(piped.complaint)")
        }

        @Test func `a video without its index is unreadable`() async throws {
            // ffmpeg writes the index last, so half a file has none.
            let film = folder.file("film.mp4")
            try Tool.ffmpeg("-i \(Clips.squat.get().path) -c copy", film)
            let bytes = [UInt8](try Data(contentsOf: film))
            try await expect(65, "damaged", for: file("half.mp4", bytes.prefix(bytes.count / 2)))
            // The index is there, but its tables are noise.
            var broken = bytes
            let index = try #require(bytes.position(of: "stbl"))
            for position in (index + 4)..<bytes.count { broken[position] = UInt8(truncatingIfNeeded: position &* 167) }
            let path = try file("broken.mp4", broken)
            for command in ["pose", "count"] {
                let run = try await Program.run(command, path)
                #expect(run.status == 65 && run.complaints.count == 1, "\(run.complaint)")
            }
        }

        @Test func `what is left of a truncated video is read`() async throws {
            let film = folder.file("front.mp4")
            try Tool.ffmpeg("-i \(Clips.squat.get().path) -c copy -movflags +faststart", film)
            let bytes = [UInt8](try Data(contentsOf: film))
            let run = try await Program.run("pose", file("cut.mp4", bytes.prefix(bytes.count / 2)), "--format", "jsonl")
            #expect(run.status == 0 && (10..<Clips.squatScene.frameCount).contains(run.lines.count))
            #expect(!run.complaints.isEmpty && run.complaints.allSatisfy { $0.hasPrefix("warning: ") })
        }

        @Test(arguments: ["1:1", "16384:16", "16:16384"]) func `extreme pictures hold nobody`(size: String) async throws
        {
            let picture = folder.file("extreme.png")
            try Tool.ffmpeg("-f lavfi -i color=c=gray:s=64x64 -vf scale=\(size) -frames:v 1 -pix_fmt rgb24", picture)
            try await expect(2, "no person", for: picture.path)
            let drawn = folder.file("drawn.png")
            let run = try await Program.run("pose", picture.path, "--overlay", drawn.path)
            #expect(run.status == 2 && run.complaints.count == 1, "\(run.complaint)")
            #expect(try await Clips.frames(of: drawn).count == 1)
        }

        @Test func `a video without duration is at most one frame`() async throws {
            let film = folder.file("one.mp4")
            try Tool.ffmpeg("-i \(Clips.squat.get().path) -frames:v 1 -c:v libx264", film)
            var bytes = [UInt8](try Data(contentsOf: film))
            let times = try #require(bytes.position(of: "stts"))
            for position in (times + 12)..<(times + 16) { bytes[position] = 0 }
            let run = try await Program.run("pose", file("still.mp4", bytes), "--format", "json")
            #expect(run.status == 0)
            #expect(try Contract.decode(Contract.Poses.self, from: run.text).frames.count == 1)
            // No entries at all in any table: a video of nothing.
            for name in ["stts", "stsz", "stsc", "stco"] {
                let table = try #require(bytes.position(of: name))
                let count = table + (name == "stsz" ? 12 : 8)
                for position in count..<(count + 4) { bytes[position] = 0 }
            }
            try await expect(65, "could be decoded", for: file("nothing.mp4", bytes))
        }

        @Test func `equal times are moved apart with a warning`() async throws {
            let film = folder.file("equal.mp4")
            var writer = try VideoWriter(url: film, width: 64, height: 48, timescale: 1000)
            for index in 0..<12 {
                let start = index / 2 * 30 + index % 2 * 10
                try writer.append(Bitmap(width: 64, height: 48), at: start..<start + (index % 2 == 0 ? 10 : 20))
            }
            try writer.finish()
            // The table of times alternates 10 and 20; every 10 becomes 0.
            var bytes = [UInt8](try Data(contentsOf: film))
            let times = try #require(bytes.position(of: "stts"))
            for index in stride(from: 0, to: 12, by: 2) {
                for offset in 0..<4 { bytes[times + 12 + index * 8 + offset] = 0 }
            }
            try await expectTwelveFrames(file("equal.mp4", bytes), stream: "equal")
        }

        @Test func `missing times are made up with a warning`() async throws {
            let film = folder.file("raw.h264")
            try Tool.ffmpeg("-i \(Clips.squat.get().path) -frames:v 12 -c:v libx264 -bf 0", film)
            try await expectTwelveFrames(film.path, stream: "missing")
        }

        private func expectTwelveFrames(_ path: String, stream: String) async throws {
            let run = try await Program.run("pose", path, "--format", "jsonl")
            let frames = try run.lines.map { try Contract.decode(Contract.Frame.self, from: $0) }
            #expect(frames.count == 12, "\(stream)")
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.time < $1.time })
            let warnings = run.complaints.filter { $0.hasPrefix("warning: \(path): ") }
            #expect(warnings.count == 1, "\(run.complaint)")
        }

        @Test func `broken labels are unreadable`() async throws {
            for (text, words) in [
                ("clip,reps\na.mp4,3\n", "no column file"), ("file,reps\na.mp4,three\n", "not a whole number"),
                ("file,reps\n,3\n", "row 2"),
                ("file,reps\nmissing.mp4,3\n", "row 2: missing.mp4 is not in the table's folder"),
                ("file,reps\n", "no clip"),
            ] {
                let run = try await Program.run(
                    "evaluate", "count", file("labels.csv", text.utf8), "--format", "jsonl")
                #expect(run.status == 65 && run.complaints.count == 1, "\(run.complaint)")
                #expect(run.complaint.contains(words), "\(run.complaint)")
            }
            let run = try await Program.run("evaluate", "count", folder.file("none.csv").path)
            #expect(run.status == 65 && run.complaints.count == 1)
        }

        @Test func `a video on standard input is read`() async throws {
            let front = folder.file("front.mp4")
            try Tool.ffmpeg("-i \(Clips.squat.get().path) -c copy -movflags +faststart", front)
            let run = try await Program.shell("\"$kinema\" pose - --format jsonl <\"$1\"", front.path)
            #expect(run.status == 0 && run.lines.count == Clips.squatScene.frameCount, "\(run.complaint)")
            let piped = try await Program.shell("cat \"$1\" | \"$kinema\" pose - --format jsonl", front.path)
            #expect(piped.status == 0 && piped.text == run.text, "\(piped.complaint)")
        }

        @Test func `a name with a line break is reported in one line`() async throws {
            let run = try await Program.run("pose", folder.url.path + "/no\nwhere\u{1B}.mp4")
            #expect(run.status == 65 && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.contains("no\\nwhere\\u{1B}.mp4: no such file"), "\(run.complaint)")
        }

        @Test func `an empty name is wrong usage`() async throws {
            for command in ["pose", "count"] {
                let run = try await Program.run(command, "")
                #expect(run.status == 64 && run.complaints.count == 1, "\(run.complaint)")
            }
        }

        @Test(arguments: ["head -c 300000 /dev/zero", "echo rubbish", "true"])
        func `random bytes on standard input are unreadable`(source: String) async throws {
            let run = try await Program.shell("\(source) | \"$kinema\" count -")
            #expect(run.status == 65 && run.complaints.count == 1, "\(run.complaint)")
            #expect(run.complaint.hasPrefix("kinema: -: "))
        }
    }
}

extension [UInt8] {
    /// Where the four letters of a box end.
    func position(of name: String) -> Int? {
        indices.first { self[$0...].starts(with: Array(name.utf8)) }.map { $0 + name.utf8.count }
    }
}
