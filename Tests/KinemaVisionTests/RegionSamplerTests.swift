@testable import KinemaSampling
import Foundation
import KinemaCore
import KinemaMedia
import KinemaTestSupport
import Testing

struct RegionSamplerTests {
    private let id = TemporalSegmentIdentifier(source: "test", range: 0..<1, timescale: 30)

    /// A picture whose red grows to the right and whose green grows downwards.
    private func ramp(_ width: Int, _ height: Int) -> VideoFrame {
        var bitmap = Bitmap(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                bitmap.pixels[(y * width + x) * 4 + 2] = UInt8(x)
                bitmap.pixels[(y * width + x) * 4 + 1] = UInt8(y)
            }
        }
        return VideoFrame(bitmap: bitmap, id: id)
    }

    private func sample(
        _ frame: VideoFrame, _ region: Region, side: Int, _ border: RegionSampler.Border
    ) -> [[UInt8]] {
        var pixels = [UInt8](repeating: 7, count: side * side * 3)
        pixels.withUnsafeMutableBufferPointer { buffer in
            RegionSampler.sample(frame, region, into: buffer, side: side, border: border)
        }
        return stride(from: 0, to: pixels.count, by: 3).map { Array(pixels[$0..<($0 + 3)]) }
    }

    @Test func `an upright region of the same size is a copy`() {
        let region = Region(center: SIMD2(50, 60), side: 32, angle: 0)
        let pixels = sample(ramp(200, 200), region, side: 32, .repeated)
        for row in 0..<32 {
            for column in 0..<32 {
                #expect(pixels[row * 32 + column] == [UInt8(34 + column), UInt8(44 + row), 0])
            }
        }
    }

    @Test func `a quarter turn reads columns upwards`() {
        let region = Region(center: SIMD2(50, 60), side: 32, angle: .pi / 2)
        let pixels = sample(ramp(200, 200), region, side: 32, .repeated)
        // The square's top left corner is the picture's top right one.
        #expect(pixels[0] == [66, 44, 0])
        #expect(pixels[1] == [66, 45, 0])
        #expect(pixels[32] == [65, 44, 0])
    }

    @Test func `half stepped pixels are mixed`() {
        let region = Region(center: SIMD2(40.25, 40), side: 16, angle: 0)
        let pixels = sample(ramp(200, 200), region, side: 32, .repeated)
        // Steps of half a pixel from 32.25: 32.25, 32.75, 33.25 …, rounded.
        #expect(pixels[0][0] == 32)
        #expect(pixels[1][0] == 33)
        #expect(pixels[2][0] == 33)
    }

    @Test func `beyond the edge is black or the edge again`() {
        let region = Region(center: SIMD2(0, 100), side: 64, angle: 0)
        let frame = ramp(200, 200)
        #expect(sample(frame, region, side: 64, .black)[64 * 32] == [0, 0, 0])
        #expect(sample(frame, region, side: 64, .repeated)[64 * 32] == [0, 100, 0])
        #expect(sample(frame, region, side: 64, .black)[64 * 32 + 40] == [8, 100, 0])
    }

    @Test(arguments: [(1, 1), (1, 50), (50, 1), (2, 2), (300, 2)])
    func `tiny pictures are read inside their bounds`(width: Int, height: Int) {
        let frame = VideoFrame(bitmap: Bitmap(width: width, height: height, red: 9, green: 8, blue: 7), id: id)
        let region = Region(center: SIMD2(Double(width), Double(height)) / 2, side: 400, angle: 0.3)
        #expect(sample(frame, region, side: 16, .repeated).allSatisfy { $0 == [9, 8, 7] })
        #expect(RegionSampler.colours(of: frame, at: [SIMD2(-5, 900)]) == [SIMD3(9, 8, 7)])
    }

    /// A video's frame whose luma and chroma change smoothly, as the decoder gives it: half as much chroma as luma.
    private func decoded() async throws -> VideoFrame {
        let (width, height) = (208, 144)
        var bitmap = Bitmap(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                let start = (y * width + x) * 4
                bitmap.pixels[start] = UInt8(40 + y)
                bitmap.pixels[start + 1] = UInt8(20 + x)
                bitmap.pixels[start + 2] = UInt8(230 - x / 2 - y / 2)
                bitmap.pixels[start + 3] = 255
            }
        }
        let folder = try TemporaryFolder()
        var writer = try VideoWriter(url: folder.file("ramp.mp4"), width: width, height: height, timescale: 10)
        try writer.append(bitmap, at: 0..<1)
        try writer.finish()
        var frames = try await VideoReader.read(contentsOf: folder.file("ramp.mp4")).makeAsyncIterator()
        return try #require(try await frames.next()).feature
    }

    /// The ramp as a decoder gives it in a pixel format, such as a graphics device's nv12.
    private func decoded(as format: String) async throws -> VideoFrame {
        let folder = try TemporaryFolder()
        let ramp = folder.file("ramp.nut")
        try Tool.ffmpeg(
            "-f lavfi -i gradients=s=208x144:c0=red:c1=blue:c2=green:n=3:x0=0:y0=0:x1=207:y1=143 -frames:v 1 "
                + "-c:v rawvideo -pix_fmt \(format)", ramp)
        return try ImageReader.read(contentsOf: ramp)
    }

    /// Rows are read in stretches of eight, single colours one by one: both must say the same of any square.
    private func expectStretches(of frame: VideoFrame, within tolerance: Float, _ comment: Comment) {
        for (center, side, angle) in [
            (SIMD2(104.0, 72.0), 60.0, 0.0), (SIMD2(100.0, 70.0), 90.0, 0.4), (SIMD2(90.3, 71.7), 77.7, 2.5),
            (SIMD2(5.0, 140.0), 100.0, -0.7), (SIMD2(104.0, 72.0), 400.0, 1.2), (SIMD2(200.0, 3.0), 30.0, .pi / 2),
            (SIMD2(500.0, 500.0), 50.0, 0.1),
        ] {
            let region = Region(center: center, side: side, angle: angle)
            let count = 61
            let points = (0..<(count * count)).map {
                region.pixel(SIMD2(Double($0 % count), Double($0 / count)) / Double(count))
            }
            let pixels = sample(frame, region, side: count, .repeated)
            let colours = RegionSampler.colours(of: frame, at: points)
            var largest: Float = 0
            for (pixel, colour) in zip(pixels, colours) {
                for channel in 0..<3 { largest = max(largest, abs(Float(pixel[channel]) - colour[channel])) }
            }
            #expect(largest <= tolerance, "\(comment) \(region)")
        }
    }

    @Test func `a decoded frames square has the colours of its points`() async throws {
        let frame = try await decoded()
        let layout = frame.withPlanes { $0.layout }
        try #require(layout == .planar)
        // A step's rounding moves the nearest chroma sample now and then, which differs by two levels at most.
        expectStretches(of: frame, within: 4, "420")
    }

    @Test(arguments: [
        ("yuv420p", FramePlanes.Layout.planar), ("nv12", .semiPlanar(swapped: false)),
        ("nv21", .semiPlanar(swapped: true)),
        ("yuv422p", .planar), ("yuv444p", .planar), ("yuv420p10le", .planar),
        ("rgb24", .packed(red: 0, green: 1, blue: 2, bytesPerPixel: 3)),
    ])
    func `every layout of pixels is sampled alike`(format: String, layout: FramePlanes.Layout) async throws {
        let frame = try await decoded(as: format)
        try #require(frame.withPlanes { $0.layout } == layout)
        expectStretches(of: frame, within: 6, "\(format)")
        // And like the picture in red, green and blue.
        let plain = try await decoded(as: "gbrp")
        let region = Region(center: SIMD2(104, 72), side: 120, angle: 0.3)
        var sum = 0
        for (one, other) in zip(sample(frame, region, side: 64, .black), sample(plain, region, side: 64, .black)) {
            for channel in 0..<3 { sum += abs(Int(one[channel]) - Int(other[channel])) }
        }
        #expect(Double(sum) / Double(64 * 64 * 3) < 2, "\(format)")
    }

    /// Lines in all directions whose bytes differ from those of the same positions read one by one.
    private func differences(_ source: some PixelSource) -> [String] {
        var wrong: [String] = []
        let (width, height) = ((source.size.width - 2) << 16, (source.size.height - 2) << 16)
        for _ in 0..<400 {
            let start = SamplePosition(x: .random(in: 0...width), y: .random(in: 0...height))
            let end = SamplePosition(x: .random(in: 0...width), y: .random(in: 0...height))
            let step = SamplePosition(x: (end.x - start.x) / 43, y: (end.y - start.y) / 43)
            var (line, single) = ([UInt8](repeating: 1, count: 44 * 3), [UInt8](repeating: 2, count: 43 * 3))
            line.withUnsafeMutableBufferPointer { pixels in
                guard let pixels = pixels.baseAddress else { return }
                source.read(43, from: start, step: step, next: SamplePosition(x: -step.y, y: step.x), into: pixels)
            }
            single.withUnsafeMutableBufferPointer { pixels in
                guard let pixels = pixels.baseAddress else { return }
                for index in 0..<43 {
                    let place = start + step * index
                    source.read(place.x, place.y, into: pixels + 3 * index)
                }
            }
            // Nothing is written behind the line.
            if line != single + [1, 1, 1] { wrong.append("\(start) \(step)") }
        }
        return wrong
    }

    @Test func `eight pixels at once are the very bytes of one at a time`() async throws {
        let (planar, pairs) = (try await decoded(as: "yuv420p"), try await decoded(as: "nv12"))
        let full = try await decoded(as: "yuv444p")
        #expect(planar.withPlanes { differences(Planar<UInt8, HalfChroma>($0)) } == [])
        #expect(full.withPlanes { differences(Planar<UInt8, SharedChroma>($0)) } == [])
        #expect(pairs.withPlanes { differences(SemiPlanar<UInt8, SharedChroma>($0, false)) } == [])
    }

    @Test func `columns inside are those whose positions are`() {
        for _ in 0..<3000 {
            let limit = SamplePosition(x: .random(in: 0...3000), y: .random(in: 0...2000))
            let start = SamplePosition(x: .random(in: -4000...6000), y: .random(in: -4000...6000))
            let step = SamplePosition(x: .random(in: -90...90), y: .random(in: -90...90))
            let inside = (0..<64).filter { column in
                let place = start + step * column
                return (0...limit.x).contains(place.x) && (0...limit.y).contains(place.y)
            }
            let columns = SamplingGrid.columnsInside(of: limit, from: start, step: step, count: 64)
            #expect(Array(columns) == inside, "\(start) \(step) \(limit)")
        }
    }
}
