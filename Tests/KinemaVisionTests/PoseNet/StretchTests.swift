@testable import KinemaPose
@testable import KinemaSampling
import Foundation
import KinemaCore
import KinemaMedia
import Testing

/// The whole picture stretched to a model's input.
struct StretchTests {
    /// A picture whose red grows by `step` to the right and whose green by `step` downwards.
    private func ramp(_ width: Int, _ height: Int, step: Int) -> VideoFrame {
        var bitmap = Bitmap(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                bitmap.pixels[(y * width + x) * 4 + 2] = UInt8(x * step)
                bitmap.pixels[(y * width + x) * 4 + 1] = UInt8(y * step)
            }
        }
        return VideoFrame(bitmap: bitmap, id: TemporalSegmentIdentifier(source: "test", range: 0..<1, timescale: 1))
    }

    private func stretch(_ frame: VideoFrame, _ width: Int, _ height: Int) -> [SIMD2<Int>] {
        var pixels = [UInt8](repeating: 7, count: width * height * 3)
        pixels.withUnsafeMutableBufferPointer {
            let mapping = InputMapping(.stretch, of: frame.size, in: SIMD2(Double(width), Double(height)))
            RegionSampler.sample(frame, mapping, into: $0, width: width, height: height, border: .repeated)
        }
        return stride(from: 0, to: pixels.count, by: 3).map { SIMD2(Int(pixels[$0]), Int(pixels[$0 + 1])) }
    }

    @Test func `the same size is a copy`() {
        let pixels = stretch(ramp(40, 30, step: 5), 40, 30)
        for (index, pixel) in pixels.enumerated() { #expect(pixel == SIMD2(index % 40 * 5, index / 40 * 5)) }
    }

    /// Edge lies on edge: every input pixel shows the middle of the part of the picture that it covers.
    @Test(arguments: [(20, 60), (80, 15), (41, 31), (160, 120), (3, 2)]) func `edges fall on edges`(
        width: Int, height: Int
    ) {
        let pixels = stretch(ramp(40, 30, step: 6), width, height)
        var largest = 0.0
        for (index, pixel) in pixels.enumerated() {
            let x = (Double(index % width) + 0.5) * 40 / Double(width) - 0.5
            let y = (Double(index / width) + 0.5) * 30 / Double(height) - 0.5
            // Beyond the outermost pixels' middles their own colour goes on.
            largest = max(largest, abs(Double(pixel.x) - 6 * min(max(x, 0), 39)))
            largest = max(largest, abs(Double(pixel.y) - 6 * min(max(y, 0), 29)))
        }
        // Levels are rounded, and the way between two pixels to 1/256.
        #expect(largest <= 0.53)
    }

    @Test(arguments: [(1, 1), (1, 40), (40, 1)]) func `tiny pictures are read inside their bounds`(
        width: Int, height: Int
    ) {
        let pixels = stretch(ramp(width, height, step: 0), 65, 33)
        #expect(pixels.allSatisfy { $0 == SIMD2(0, 0) })
    }
}
