@testable import KinemaSampling
import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

struct GrayPictureTests {
    private let id = TemporalSegmentIdentifier(source: "test", range: 0..<1, timescale: 30)

    private func frame(_ width: Int, _ height: Int, _ brightness: (_ x: Int, _ y: Int) -> UInt8) -> VideoFrame {
        var bitmap = Bitmap(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                for channel in 0..<3 { bitmap.pixels[(y * width + x) * 4 + channel] = brightness(x, y) }
            }
        }
        return VideoFrame(bitmap: bitmap, id: id)
    }

    @Test func `a picture of its own size is a copy`() {
        let picture = GrayPicture(frame(31, 17) { x, y in UInt8(5 * x + y) })
        #expect(
            picture
                == GrayPicture(
                    width: 31, height: 17, pixels: (0..<17).flatMap { y in (0..<31).map { UInt8(5 * $0 + y) } }))
    }

    @Test func `a shrunk pixel is the mean of what it covers`() {
        // 6 x 4 pixels to 4 x 3: each covers one and a half columns and four thirds of a row.
        let picture = GrayPicture(frame(6, 4) { x, _ in UInt8(40 * x) }, maximumDimension: 4)
        #expect(picture.width == 4 && picture.height == 3)
        // (0 + 0.5 * 40) / 1.5, (0.5 * 40 + 80) / 1.5, and so on.
        #expect(Array(picture.pixels.prefix(4)) == [13, 67, 133, 187])
    }

    @Test func `a region is cut out from the lower left`() {
        let picture = GrayPicture(
            frame(10, 10) { x, y in UInt8(10 * y + x) }, in: NormalizedRect(x: 0.2, y: 0.1, width: 0.3, height: 0.2))
        // Rows 7 and 8 from the top, columns 2, 3 and 4.
        #expect(picture == GrayPicture(width: 3, height: 2, pixels: [72, 73, 74, 82, 83, 84]))
    }

    @Test(arguments: [
        NormalizedRect(x: -3, y: -3, width: 1, height: 1), NormalizedRect(x: 0.5, y: 0.5, width: 0, height: 0),
        NormalizedRect(x: 2, y: 2, width: 4, height: 4), NormalizedRect(x: .nan, y: 0, width: .infinity, height: 1),
        NormalizedRect(x: 0.9, y: 0.9, width: -0.5, height: -0.5),
    ])
    func `regions outside or without extent leave at least a pixel`(region: NormalizedRect) {
        let picture = GrayPicture(frame(10, 10) { _, _ in 9 }, in: region)
        #expect(picture.pixels.allSatisfy { $0 == 9 })
    }

    /// A video's frame has limited range; its luma must come out as the brightness that was written.
    @Test func `decoded luma is the written brightness`() async throws {
        let (width, height) = (160, 96)
        let folder = try TemporaryFolder()
        var writer = try VideoWriter(url: folder.file("ramp.mp4"), width: width, height: height, timescale: 10)
        let written = frame(width, height) { x, y in UInt8(20 + x + y / 2) }
        try writer.append(try written.bitmap(), at: 0..<1)
        try writer.finish()
        var frames = try await VideoReader.read(contentsOf: folder.file("ramp.mp4")).makeAsyncIterator()
        let read = try #require(try await frames.next()).feature
        // What coding costs; a limited range taken for a full one would be off by 16 and more.
        for (limit, tolerance) in [(Int.max, 6), (80, 5)] {
            let (one, other) = (
                GrayPicture(read, maximumDimension: limit), GrayPicture(written, maximumDimension: limit)
            )
            #expect(one.width == other.width && one.height == other.height)
            let largest = zip(one.pixels, other.pixels).map { abs(Int($0) - Int($1)) }.max() ?? 255
            #expect(largest <= tolerance)
        }
    }
}
