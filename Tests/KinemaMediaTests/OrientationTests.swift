import Foundation
import KinemaCore
import Testing

@testable import KinemaMedia

/// All eight orientations, written into the files byte by byte, so that no version of ffmpeg has a say in it.
@Suite struct OrientationTests {
    let clips: Clips

    init() throws {
        clips = try Clips()
    }

    /// For each EXIF orientation, which stored corner (0 top left, 1 top right, 2 bottom left, 3 bottom right) is displayed
    /// top left, top right, bottom left, bottom right (Exif 2.32, tag 274).
    static let displayed: [Int: [Int]] = [
        1: [0, 1, 2, 3], 2: [1, 0, 3, 2], 3: [3, 2, 1, 0], 4: [2, 3, 0, 1],
        5: [0, 2, 1, 3], 6: [2, 0, 3, 1], 7: [3, 1, 2, 0], 8: [1, 3, 0, 2],
    ]

    /// The same as a display matrix: a, b, c, d of x' = ax + cy, y' = bx + dy.
    static let matrices: [Int: [Int32]] = [
        1: [1, 0, 0, 1], 2: [-1, 0, 0, 1], 3: [-1, 0, 0, -1], 4: [1, 0, 0, -1],
        5: [0, 1, 1, 0], 6: [0, 1, -1, 0], 7: [0, -1, -1, 0], 8: [0, -1, 1, 0],
    ]

    func expect(_ frame: VideoFrame, orientation: Int, within tolerance: Int, _ comment: String) throws {
        let stored = [ColorTests.red, ColorTests.green, ColorTests.blue, ColorTests.white]
        let expected = try #require(Self.displayed[orientation]).map { stored[$0] }
        let sideways = orientation >= 5
        #expect(frame.width == (sideways ? 96 : 128) && frame.height == (sideways ? 128 : 96))
        ColorTests.expectClose(
            ColorTests.corners(of: try frame.bitmap()), expected, within: tolerance, "\(comment) bitmap")
        ColorTests.expectClose(ColorTests.sampledCorners(of: frame), expected, within: tolerance, "\(comment) planes")
    }

    @Test(arguments: 1...8)
    func `A video's display matrix is applied`(orientation: Int) throws {
        let source = try ColorTests.writeQuarters(to: clips)
        let url = try clips.make("turned.mp4", "-i \(source.path) -pix_fmt yuv444p -c:v libx264 -qp 1")
        var bytes = [UInt8](try Data(contentsOf: url))
        let box = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("tkhd".utf8)) }) - 4
        let matrix = try #require(Self.matrices[orientation])
        // Version 0 of the track header: the matrix starts 48 bytes into the box (ISO/IEC 14496-12, 8.3.2).
        for (place, value) in zip([0, 1, 3, 4], matrix) {
            bytes.replace(at: box + 48 + place * 4, with: UInt32(bitPattern: value << 16))
        }
        try Data(bytes).write(to: url)
        try expect(try ImageReader.read(contentsOf: url), orientation: orientation, within: 4, "mp4 \(orientation)")
    }

    @Test(arguments: 1...8, ["jpg", "png", "webp"])
    func `EXIF orientation is applied`(orientation: Int, kind: String) throws {
        let source = try ColorTests.writeQuarters(to: clips)
        let options = ["jpg": "-q:v 1", "png": "", "webp": "-quality 95"]
        let url = try clips.make("picture.\(kind)", "-i \(source.path) \(try #require(options[kind]))")
        let bytes = [UInt8](try Data(contentsOf: url))
        let marked =
            switch kind {
            case "jpg": bytes.jpeg(orientation)
            case "png": bytes.png(orientation)
            default: bytes.webP(orientation)
            }
        try Data(marked).write(to: url)
        try expect(try ImageReader.read(contentsOf: url), orientation: orientation, within: 6, "\(kind) \(orientation)")
    }

    @Test(arguments: [(90, false), (180, false), (270, false), (0, true), (90, true), (270, true)])
    func `A requested turn follows the file's own`(degrees: Int, mirrored: Bool) async throws {
        let source = try ColorTests.writeQuarters(to: clips)
        let bytes = [UInt8](try Data(contentsOf: try clips.make("plain.jpg", "-i \(source.path) -q:v 1")))
        let turn = PixelOrientation(degreesClockwise: degrees, mirrored: mirrored)
        for orientation in 1...8 {
            let url = clips.url("turned-\(orientation).jpg")
            try Data(bytes.jpeg(orientation)).write(to: url)
            // A clockwise quarter turn shows the lower left corner at the upper left.
            var corners = try #require(Self.displayed[orientation])
            for _ in 0..<degrees / 90 { corners = [2, 0, 3, 1].map { corners[$0] } }
            if mirrored { corners = [1, 0, 3, 2].map { corners[$0] } }
            let whole = try #require(Self.displayed.first { $0.value == corners }).key
            let frames = try await VideoReader.read(.file(url), isolation: .none, orientation: turn)
            for try await element in frames {
                #expect(Int(frames.frameSize.width) == element.feature.width)
                try expect(element.feature, orientation: whole, within: 6, "\(orientation) \(degrees) \(mirrored)")
                let drawn = VideoFrame(bitmap: try ImageReader.read(contentsOf: url).bitmap(), id: element.id)
                try expect(try drawn.oriented(turn), orientation: whole, within: 6, "bitmap \(orientation)")
            }
        }
    }

    @Test
    func `An EXIF block cut off or lying about its offsets is ignored`() {
        let block: [UInt8] = [0xFF, 0xD8].jpeg(6)
        #expect(ExifOrientation.find(in: block) == PixelOrientation(exif: 6))
        for length in 0..<block.count - 8 {
            #expect(ExifOrientation.find(in: Array(block[..<length])) == nil)
        }
        for index in block.indices {
            var damaged = block
            damaged[index] = 0xFF
            _ = ExifOrientation.find(in: damaged)
        }
        #expect(ExifOrientation.find(in: []) == nil)
    }
}

extension [UInt8] {
    mutating func replace(at position: Int, with number: UInt32) {
        for (index, shift) in [24, 16, 8, 0].enumerated() {
            self[position + index] = UInt8(truncatingIfNeeded: number >> shift)
        }
    }

    /// A TIFF block with one tag: the orientation, big-endian.
    static func tiff(_ orientation: Int) -> [UInt8] {
        [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0]
    }

    func jpeg(_ orientation: Int) -> [UInt8] {
        let block = Array("Exif\0\0".utf8) + Self.tiff(orientation)
        return Array(self[..<2]) + [0xFF, 0xE1, 0, UInt8(block.count + 2)] + block + Array(self[2...])
    }

    func png(_ orientation: Int) -> [UInt8] {
        let chunk = Array("eXIf".utf8) + Self.tiff(orientation)
        var checksum: UInt32 = ~0
        for byte in chunk {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum >> 1 ^ (checksum & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        var framed: [UInt8] = [0, 0, 0, 0] + chunk + [0, 0, 0, 0]
        framed.replace(at: 0, with: UInt32(chunk.count - 4))
        framed.replace(at: chunk.count + 4, with: ~checksum)
        // Behind the signature (8 bytes) and the header chunk (25 bytes).
        return Array(self[..<33]) + framed + Array(self[33...])
    }

    func webP(_ orientation: Int) -> [UInt8] {
        let block = Self.tiff(orientation)
        // Extended header: flag 8 says EXIF follows; then width - 1 and height - 1, three bytes each (RFC 9649, 2.7).
        let extended = Array("VP8X".utf8) + [10, 0, 0, 0, 8, 0, 0, 0, 127, 0, 0, 95, 0, 0]
        let exif = Array("EXIF".utf8) + [UInt8(block.count), 0, 0, 0] + block
        let body = Array("WEBP".utf8) + extended + Array(self[12...]) + exif
        let size = UInt32(body.count).byteSwapped
        var whole = Array("RIFF".utf8) + [0, 0, 0, 0] + body
        whole.replace(at: 4, with: size)
        return whole
    }
}
