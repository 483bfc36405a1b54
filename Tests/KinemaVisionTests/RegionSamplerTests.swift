import Foundation
import KinemaCore
import KinemaMedia
import Testing

@testable import KinemaVision

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

    @Test func anUprightRegionOfTheSameSizeIsACopy() {
        let region = Region(center: SIMD2(50, 60), side: 32, angle: 0)
        let pixels = sample(ramp(200, 200), region, side: 32, .repeated)
        for row in 0..<32 {
            for column in 0..<32 {
                #expect(pixels[row * 32 + column] == [UInt8(34 + column), UInt8(44 + row), 0])
            }
        }
    }

    @Test func aQuarterTurnReadsColumnsUpwards() {
        let region = Region(center: SIMD2(50, 60), side: 32, angle: .pi / 2)
        let pixels = sample(ramp(200, 200), region, side: 32, .repeated)
        // The square's top left corner is the picture's top right one.
        #expect(pixels[0] == [66, 44, 0])
        #expect(pixels[1] == [66, 45, 0])
        #expect(pixels[32] == [65, 44, 0])
    }

    @Test func halfSteppedPixelsAreMixed() {
        let region = Region(center: SIMD2(40.25, 40), side: 16, angle: 0)
        let pixels = sample(ramp(200, 200), region, side: 32, .repeated)
        // Steps of half a pixel from 32.25: 32.25, 32.75, 33.25 …, rounded.
        #expect(pixels[0][0] == 32)
        #expect(pixels[1][0] == 33)
        #expect(pixels[2][0] == 33)
    }

    @Test func beyondTheEdgeIsBlackOrTheEdgeAgain() {
        let region = Region(center: SIMD2(0, 100), side: 64, angle: 0)
        let frame = ramp(200, 200)
        #expect(sample(frame, region, side: 64, .black)[64 * 32] == [0, 0, 0])
        #expect(sample(frame, region, side: 64, .repeated)[64 * 32] == [0, 100, 0])
        #expect(sample(frame, region, side: 64, .black)[64 * 32 + 40] == [8, 100, 0])
    }

    @Test(arguments: [(1, 1), (1, 50), (50, 1), (2, 2), (300, 2)])
    func tinyPicturesAreReadInsideTheirBounds(width: Int, height: Int) {
        let frame = VideoFrame(bitmap: Bitmap(width: width, height: height, red: 9, green: 8, blue: 7), id: id)
        let region = Region(center: SIMD2(Double(width), Double(height)) / 2, side: 400, angle: 0.3)
        #expect(sample(frame, region, side: 16, .repeated).allSatisfy { $0 == [9, 8, 7] })
        #expect(RegionSampler.colours(of: frame, at: [SIMD2(-5, 900)]) == [SIMD3(9, 8, 7)])
    }
}
