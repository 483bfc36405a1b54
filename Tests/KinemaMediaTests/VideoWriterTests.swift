import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

@Suite struct VideoWriterTests {
    let clips: Clips

    init() throws {
        clips = try Clips()
    }

    /// Quarters in the colours of `ColorTests`, with a grey square that moves.
    func picture(_ index: Int, width: Int = 160, height: Int = 120) -> Bitmap {
        func pixel(_ color: [Int]) -> [UInt8] { color.reversed().map { UInt8($0) } + [255] }
        func row(_ left: [Int], _ right: [Int]) -> [UInt8] {
            (0..<width).flatMap { $0 < width / 2 ? pixel(left) : pixel(right) }
        }
        let upper = row(ColorTests.red, ColorTests.green)
        let lower = row(ColorTests.blue, ColorTests.white)
        var bitmap = Bitmap(
            width: width, height: height, pixels: (0..<height).flatMap { $0 < height / 2 ? upper : lower })
        for y in 0..<8 {
            for x in index * 5..<index * 5 + 8 {
                bitmap.pixels.replaceSubrange((y * width + x) * 4..<(y * width + x) * 4 + 3, with: [128, 128, 128])
            }
        }
        return bitmap
    }

    func read(_ url: URL) async throws -> [VideoFrame] {
        var frames: [VideoFrame] = []
        for try await frame in try await VideoReader.read(contentsOf: url) { frames.append(frame.feature) }
        return frames
    }

    static let starts = [0, 33, 67, 100, 300, 301, 1000, 1001, 1500, 2500]

    func write(to url: URL, width: Int = 160, height: Int = 120) throws {
        var writer = try VideoWriter(url: url, width: width, height: height, timescale: 1000)
        for (index, start) in Self.starts.enumerated() {
            let end = index + 1 < Self.starts.count ? Self.starts[index + 1] : start + 40
            try writer.append(picture(index, width: width, height: height), at: start..<end)
        }
        try writer.finish()
    }

    @Test(arguments: [(160, 120), (960, 720)])
    func `A written video has the same timing and colours when read`(width: Int, height: Int) async throws {
        let url = clips.url("written.mp4")
        try write(to: url, width: width, height: height)
        let frames = try await read(url)
        #expect(frames.map(\.id.range.lowerBound) == Self.starts)
        #expect(frames.map(\.id.timescale).allSatisfy { $0 == 1000 })
        #expect(frames.last?.id.range == 2500..<2540)
        for frame in frames {
            let expected = [ColorTests.red, ColorTests.green, ColorTests.blue, ColorTests.white]
            ColorTests.expectClose(ColorTests.corners(of: try frame.bitmap()), expected, within: 6, "written")
        }
        let tags = try Clips.run(
            "ffprobe",
            ["-v", "error", "-show_entries", "stream=color_space,color_range,codec_name", "-of", "csv=p=0", url.path])
        #expect(tags.hasPrefix(height > 576 ? "h264,tv,bt709" : "h264,tv,smpte170m"), "\(tags)")
        #expect(try clips.stamps(url) == Self.starts)
    }

    @Test
    func `The index comes before the pictures, and nothing else is left in the folder`() throws {
        let url = clips.url("front.mp4")
        try write(to: url)
        let bytes = [UInt8](try Data(contentsOf: url))
        let index = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("moov".utf8)) })
        let pictures = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("mdat".utf8)) })
        #expect(index < pictures)
        #expect(!bytes.indices.contains { bytes[$0...].starts(with: Array("moof".utf8)) })
        #expect(try FileManager.default.contentsOfDirectory(atPath: clips.folder.path) == ["front.mp4"])
    }

    @Test
    func `A file that only its owner may read stays so`() throws {
        let url = clips.url("private.mp4")
        #expect(FileManager.default.createFile(atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600]))
        try write(to: url)
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test
    func `Odd sizes are padded by repeating the edge`() async throws {
        let url = clips.url("odd.mp4")
        try write(to: url, width: 161, height: 121)
        let frame = try #require(try await read(url).first)
        #expect(frame.width == 162 && frame.height == 122)
        let last = try frame.bitmap()[161, 121]
        ColorTests.expectClose(
            [[Int(last.red), Int(last.green), Int(last.blue)]], [ColorTests.white], within: 6, "edge")
    }

    @Test
    func `A file whose writer was never finished is playable up to the last second`() async throws {
        let url = clips.url("killed.mp4")
        let copy = clips.url("copy.mp4")
        var writer = try VideoWriter(url: url, width: 64, height: 48, timescale: 30)
        for index in 0..<300 { try writer.append(picture(index % 10, width: 64, height: 48), at: index..<index + 1) }
        // What a killed process leaves behind: the bytes that are in the file at this moment.
        try FileManager.default.copyItem(at: url, to: copy)
        let frames = try await read(copy)
        #expect(frames.count >= 200, "\(frames.count) frames")
        #expect(frames.map(\.id.range.lowerBound) == Array(0..<frames.count))
        try writer.finish()
        #expect(try await read(url).count == 300)
    }

    @Test
    func `An output that cannot be made is one clear line`() throws {
        try FileManager.default.createDirectory(at: clips.url("folder"), withIntermediateDirectories: true)
        for path in ["missing/out.mp4", "folder"] {
            let error = #expect(throws: KinemaError.self) { try self.write(to: clips.url(path)) }
            #expect(error?.code == .unwritableOutput)
            #expect(error?.file == clips.url(path).path)
            #expect(error?.message.contains("\n") == false)
        }
        let full = #expect(throws: KinemaError.self) { try self.write(to: URL(fileURLWithPath: "/dev/full")) }
        #expect(full?.code == .unwritableOutput && full?.message.contains("disk is full") == true)
        let picture = #expect(throws: KinemaError.self) {
            try ImageWriter.write(Bitmap(width: 2, height: 2), to: clips.url("missing/out.png"))
        }
        #expect(picture?.code == .unwritableOutput)
        let kind = #expect(throws: KinemaError.self) {
            try ImageWriter.write(Bitmap(width: 2, height: 2), to: clips.url("out.tiff"))
        }
        #expect(kind?.code == .invalidArgument)
    }

    @Test
    func `Wrong sizes, times and an empty video are refused, and the empty one leaves no file`() throws {
        let url = clips.url("misuse.mp4")
        var writer = try VideoWriter(url: url, width: 32, height: 32, timescale: 10)
        #expect(throws: KinemaError.self) { try writer.append(Bitmap(width: 34, height: 32), at: 0..<1) }
        try writer.append(Bitmap(width: 32, height: 32), at: 5..<6)
        #expect(throws: KinemaError.self) { try writer.append(Bitmap(width: 32, height: 32), at: 5..<6) }
        try writer.finish()
        #expect(throws: KinemaError.self) { try VideoWriter(url: url, width: 0, height: 32, timescale: 10).finish() }
        let empty = clips.url("empty.mp4")
        #expect(throws: KinemaError.self) { try VideoWriter(url: empty, width: 32, height: 32, timescale: 10).finish() }
        #expect(!FileManager.default.fileExists(atPath: empty.path))
    }

    @Test(arguments: ["png", "jpg"])
    func `Pictures come back as they were written`(kind: String) throws {
        let url = clips.url("picture.\(kind)")
        let original = picture(3, width: 161, height: 97)
        try ImageWriter.write(original, to: url)
        let bitmap = try ImageReader.read(contentsOf: url).bitmap()
        if kind == "png" { #expect(bitmap == original) }
        ColorTests.expectClose(ColorTests.corners(of: bitmap), ColorTests.corners(of: original), within: 4, kind)
    }

    @Test
    func `PNG keeps transparency, premultiplied in memory`() throws {
        let url = clips.url("clear.png")
        let original = Bitmap(width: 2, height: 1, pixels: [50, 100, 128, 128, 10, 20, 30, 255])
        try ImageWriter.write(original, to: url)
        #expect(try ImageReader.read(contentsOf: url).bitmap() == original)
    }

    @Test
    func `A file is the same through a link and a detour`() throws {
        let url = clips.url("one.txt")
        try Data("x".utf8).write(to: url)
        try FileManager.default.createSymbolicLink(at: clips.url("link"), withDestinationURL: url)
        #expect(sameFile(url, clips.url("link")))
        #expect(sameFile(url, clips.folder.appendingPathComponent("../\(clips.folder.lastPathComponent)/one.txt")))
        #expect(!sameFile(url, clips.url("two.txt")))
    }
}
