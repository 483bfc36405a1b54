@testable import KinemaImaging
import Foundation
import KinemaCore
import KinemaMedia
import Testing

/// What is found of a ball that flies before a wall, wherever it is lit and whatever its colour.
struct MovingObjectTests {
    private static let size = (width: 321, height: 181)
    private static let radius = 9.0

    /// Where the ball's middle is, in pixels from the top left corner.
    private func middle(_ index: Int) -> SIMD2<Double> {
        let t = Double(index) / 30
        return SIMD2(20 + 280 * t, 140 - 260 * t + 260 * t * t)
    }

    /// A grey wall with a ball before it, shaded from its left to its right.
    private func frame(_ index: Int, from left: SIMD3<Double>, to right: SIMD3<Double>) -> VideoFrame {
        var picture = Bitmap(width: Self.size.width, height: Self.size.height)
        let middle = middle(index)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let off = SIMD2(Double(x), Double(y)) + 0.5 - middle
                let share = (off.x / Self.radius + 1) / 2
                let inside = min(1, max(0, Self.radius + 0.5 - (off * off).sum().squareRoot()))
                let ball = left + (right - left) * share
                // A little grain, the same on every run.
                let grain = Double((x * 7919 + y * 104_729 + index * 15_485_863) % 5) - 2
                for channel in 0..<3 {
                    let value = 128 + (ball[channel] - 128) * inside + grain
                    // Blue first.
                    picture.pixels[y * picture.bytesPerRow + 4 * x + 2 - channel] = UInt8(min(255, max(0, value)))
                }
                picture.pixels[y * picture.bytesPerRow + 4 * x + 3] = 255
            }
        }
        return VideoFrame(
            bitmap: picture,
            id: TemporalSegmentIdentifier(source: "wall", range: index..<index + 1, timescale: 30))
    }

    /// How far the nearest object is from the ball in each frame of the flight, in pixels; infinite where none is.
    private func misses(from left: SIMD3<Double>, to right: SIMD3<Double>) -> [Double] {
        var detector = MovingObjectDetector()
        return (0..<28).map { index in
            let detections = detector.update(frame(index, from: left, to: right))
            let distances = detections.objects.map { object in
                let place = SIMD2(
                    object.position.x * Double(Self.size.width),
                    Double(Self.size.height) - object.position.y * Double(Self.size.width))
                return ((place - middle(index)) * (place - middle(index))).sum().squareRoot()
            }
            return distances.min() ?? .infinity
        }
    }

    /// BT.601: 0.299 * 205 + 0.587 * 110 + 0.114 * 19 = 128.
    @Test func `a ball of the walls brightness is seen by its colour`() {
        let orange = SIMD3<Double>(205, 110, 19)
        let late = misses(from: orange, to: orange).dropFirst(8)
        #expect(late.allSatisfy { $0 < 1 }, "\(late)")
    }

    private static let lit: [[SIMD3<Double>]] = [
        // White with a shadow; yellow that is about as bright as the wall where it is darkest; black with a shine.
        [[250, 250, 250], [160, 160, 160]], [[235, 235, 60], [150, 150, 30]], [[10, 10, 10], [90, 90, 90]],
    ]

    @Test(arguments: lit) func `the middle is not drawn to the side that stands out`(shades: [SIMD3<Double>]) {
        let late = misses(from: shades[0], to: shades[1]).dropFirst(8)
        #expect(late.allSatisfy { $0 < 0.6 }, "\(late)")
    }
}
