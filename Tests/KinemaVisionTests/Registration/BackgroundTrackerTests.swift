@testable import KinemaSampling
@testable import KinemaImaging
import Foundation
import KinemaCore
import KinemaMedia
import Testing

/// The camera's motion is measured by the background, whatever people do before it.
struct BackgroundTrackerTests {
    private static let large = Terrain(seed: 4).picture(width: 900, height: 560)

    /// A frame of 640 x 360 in which the landscape was moved by a similarity (picture heights, y up).
    private func frame(
        _ number: Int, _ motion: SimilarityTransform = .identity, covering box: CGRect? = nil, shade: Int = 0
    ) -> VideoFrame {
        let (width, height) = (640, 360)
        let back = motion.inverse
        var pixels = [UInt8](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let point = back.applied(to: SIMD2(Double(x) + 0.5, 359.5 - Double(y)) / 360)
                pixels[y * width + x] = value(point.x * 360 + 129.5, 459.5 - point.y * 360)
                if let box, box.contains(CGPoint(x: Double(x) / 640, y: 1 - Double(y) / 360)) {
                    pixels[y * width + x] = UInt8((x * 7 + y * 5 + number * 40) % 256)
                }
                pixels[y * width + x] = UInt8(clamping: Int(pixels[y * width + x]) + shade)
            }
        }
        return GrayPicture(width: width, height: height, pixels: pixels).frame(number * 3)
    }

    private func value(_ x: Double, _ y: Double) -> UInt8 {
        let picture = Self.large
        let (column, row) = (min(max(Int(x), 0), 898), min(max(Int(y), 0), 558))
        let (dx, dy) = (x - Double(column), y - Double(row))
        func at(_ x: Int, _ y: Int) -> Double { Double(picture.pixels[y * 900 + x]) }
        let top = at(column, row) * (1 - dx) + at(column + 1, row) * dx
        let bottom = at(column, row + 1) * (1 - dx) + at(column + 1, row + 1) * dx
        return UInt8(min(max(top * (1 - dy) + bottom * dy, 0), 255))
    }

    /// A similarity about the picture's middle.
    private static func motion(
        scale: Double = 1, degrees: Double = 0, shift: SIMD2<Double> = .zero
    ) -> SimilarityTransform {
        let turn = degrees * .pi / 180
        let middle = SIMD2(0.5 * 640 / 360, 0.5)
        var motion = SimilarityTransform(linear: SIMD2(scale * cos(turn), scale * sin(turn)), shift: .zero)
        motion.shift = middle + shift - motion.applied(to: middle)
        return motion
    }

    /// How far two motions put the picture's corners apart, picture heights.
    private func distance(_ one: SimilarityTransform, _ other: SimilarityTransform) -> Double {
        [SIMD2(0, 0), SIMD2(1.78, 0), SIMD2(0, 1), SIMD2(1.78, 1)].map { corner in
            let away = one.applied(to: corner) - other.applied(to: corner)
            return (away * away).sum().squareRoot()
        }.max() ?? 0
    }

    @Test(arguments: [
        motion(), motion(shift: SIMD2(0.006, -0.004)), motion(shift: SIMD2(-0.03, 0.02)), motion(scale: 1.04),
        motion(degrees: 1.5), motion(scale: 0.97, degrees: -1, shift: SIMD2(0.01, 0.01)),
    ])
    func `sway, zoom and turn are measured to a third of a pixel`(_ motion: SimilarityTransform) throws {
        var tracker = BackgroundTracker()
        let first = tracker.update(frame(0), people: [])
        #expect(first == nil)
        let found = tracker.update(frame(1, motion), people: [])
        #expect(distance(try #require(found), motion) < 0.001)
    }

    @Test func `a person who moves, and a brighter picture, do not count as the camera's motion`() throws {
        let box = CGRect(x: 0.3, y: 0.05, width: 0.35, height: 0.9)
        let corners = [CGPoint(x: box.minX, y: box.minY), CGPoint(x: box.maxX, y: box.maxY)]
        let person = Pose(
            from: Dictionary(
                uniqueKeysWithValues: zip([JointKey.nose, .leftAnkle], corners).map {
                    ($0, JointPoint($0, location: $1, confidence: 1))
                }))
        var tracker = BackgroundTracker()
        let sway = Self.motion(shift: SIMD2(0.01, 0))
        _ = tracker.update(frame(0, covering: box), people: [person])
        let found = tracker.update(frame(1, sway, covering: box, shade: 12), people: [person])
        #expect(distance(try #require(found), sway) < 0.0015)
    }

    @Test func `a slow pan is followed beyond the first picture`() throws {
        var tracker = BackgroundTracker()
        var found: SimilarityTransform?
        for step in 0...12 {
            found = tracker.update(frame(step, Self.motion(shift: SIMD2(-0.025 * Double(step), 0))), people: [])
        }
        #expect(distance(try #require(found), Self.motion(shift: SIMD2(-0.3, 0))) < 0.005)
    }

    @Test func `a blank wall and another scene tell nothing`() {
        var tracker = BackgroundTracker()
        let wall = GrayPicture(width: 320, height: 180, pixels: [UInt8](repeating: 90, count: 320 * 180))
        let blank = (0..<4).map { tracker.update(wall.frame($0 * 3), people: []) }
        #expect(blank.allSatisfy { $0 == nil })
        tracker = BackgroundTracker()
        _ = tracker.update(frame(0), people: [])
        let other = tracker.update(Terrain(seed: 9).picture().frame(3), people: [])
        #expect(other == nil)
    }
}
