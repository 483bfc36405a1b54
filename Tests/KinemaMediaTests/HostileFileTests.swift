import Foundation
import KinemaCore
import KinemaTestSupport
import Testing

@testable import KinemaMedia

/// Small files that ask for much.
struct HostileFileTests {
    let clips: Clips

    init() throws {
        clips = try Clips()
    }

    private func hostile() throws {
        let script = SharedData.package.appending(path: "Tests/Servers/hostile.py")
        try Clips.run("python3", [script.path, clips.folder.path])
    }

    private func failure(_ name: String, _ limits: ReadingLimits) async throws -> String? {
        do {
            for try await _ in try await VideoReader.read(.file(clips.url(name)), limits: limits, isolation: .none) {}
            return nil
        } catch let error as KinemaError {
            #expect(error.code == .unreadableInput)
            return error.message
        }
    }

    @Test
    func `A picture is refused by its size before it is decoded, with the limit`() async throws {
        try hostile()
        let message = try await failure("large.gif", .untrusted)
        #expect(message?.hasPrefix("frames of 16384x6100 are too large: at most 4096 a side and 16 mega") == true)
    }

    @Test
    func `Texts and profiles of PNG data are removed, and nothing else`() async throws {
        try hostile()
        for name in ["text.png", "profile.png", "text.apng"] {
            let bytes = Array(try Data(contentsOf: clips.url(name)))
            let picture = try #require(PNGChunks.strippingMetadata(from: bytes))
            #expect(picture.count < 500 && PNGChunks.strippingMetadata(from: picture) == nil)
            let frame = try ImageReader.read(contentsOf: clips.url(name))
            #expect(frame.width == 64 && frame.height == 48)
            let bitmap = try frame.bitmap()
            #expect(Array(bitmap.pixels[..<4]) == [120, 80, 40, 255])
        }
        // Broken off and hostile lengths stay as they are, for the decoder to refuse.
        #expect(PNGChunks.strippingMetadata(from: [0xFF, 0xFF, 0xFF, 0xFF] + Array("zTXt".utf8)) == nil)
        #expect(PNGChunks.strippingMetadata(from: []) == nil)
    }

    @Test
    func `A decoder's pictures stay within the memory limit, including those handed out`() async throws {
        try clips.make("clip.mp4", "-f lavfi -i testsrc2=s=640x480:r=30 -frames:v 40 -c:v libx264 -refs 8 -bf 3")
        var limits = ReadingLimits()
        // Half is the decoder's: six pictures of 460 KB, where eight are referred to.
        limits.memory = 2 * 6 * 640 * 480 * 3 / 2
        #expect(try await failure("clip.mp4", limits)?.hasPrefix("decoding needs more than 2 MiB") == true)
        limits.memory *= 6
        #expect(try await failure("clip.mp4", limits) == nil)
    }

    @Test(arguments: [
        (640, 480, 4), (4_096, 4_096, 4), (8_192, 4_096, 1), (16_384, 6_000, 1),
    ])
    func `The larger the pictures, the fewer wait`(width: Int, height: Int, count: Int) {
        #expect(ReadingLimits.untrusted.picturesAhead(width: width, height: height, wanted: 4) == count)
    }
}
