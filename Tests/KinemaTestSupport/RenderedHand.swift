package import Foundation
import KinemaCore
import KinemaMedia

/// A left hand of shaded capsules before grey, real enough for the palm detector.
package enum RenderedHand {
    /// What it does over and over.
    package enum Action: String, CaseIterable { case pinch, grab }

    private static let (width, height, rate) = (320, 240, 30)

    /// Writes a clip of two seconds; `person` changes the hand's size, place and tempo a little.
    package static func write(_ action: Action, person: Double, to url: URL) throws {
        var writer = try VideoWriter(url: url, width: width, height: height, timescale: rate)
        for frame in 0..<2 * rate {
            let phase = Double(frame) / Double(rate) * 2 * .pi * (1 + 0.08 * person)
            try writer.append(picture(action, closed: (1 - cos(phase)) / 2, person: person), at: frame..<frame + 1)
        }
        try writer.finish()
    }

    private static func picture(_ action: Action, closed: Double, person: Double) -> Bitmap {
        var painter = Painter(
            origin: SIMD2(160 + 4 * person, 172), scale: 0.56 + 0.01 * person,
            bitmap: Bitmap(width: width, height: height, red: 125, green: 138, blue: 146))
        let (pinch, grab) = action == .pinch ? (closed, 0) : (0, closed)
        painter.capsule(SIMD2(4, -170), SIMD2(0, 0), 36)
        for (from, to, radius) in [
            (SIMD2(-20.0, 20), SIMD2(-40.0, 112), 30.0), (SIMD2(0, 20), SIMD2(-14, 118), 30),
            (SIMD2(14, 20), SIMD2(14, 114), 30), (SIMD2(20, 20), SIMD2(38, 98), 26),
        ] { painter.capsule(from, to, radius) }
        let fingers: [(knuckle: SIMD2<Double>, lengths: [Double], turn: Double)] = [
            (SIMD2(-48, 120), [46, 30, 24], -0.14), (SIMD2(-16, 132), [52, 34, 26], -0.03),
            (SIMD2(16, 126), [48, 31, 25], 0.08), (SIMD2(44, 108), [36, 24, 21], 0.22),
        ]
        for (index, finger) in fingers.enumerated() {
            var place = finger.knuckle
            for (joint, length) in finger.lengths.enumerated() {
                let bend = index == 0 ? pinch : 0
                let angle = finger.turn - bend * 0.35 * Double(joint + 1)
                // A finger that folds towards the camera looks shorter.
                let seen = length * (1 - 0.25 * bend - 0.65 * grab)
                let next = place + SIMD2(sin(angle), cos(angle)) * seen
                painter.capsule(place, next, 13.5 - 1.2 * Double(joint))
                place = next
            }
        }
        painter.capsule(SIMD2(-30, 26), SIMD2(-62, 66), 19)
        var (place, angle) = (SIMD2(-62.0, 66), -0.75 + pinch * 0.9 + grab * 0.5)
        for (length, radius) in [(42.0, 15.0), (34, 13)] {
            let next = place + SIMD2(sin(angle), cos(angle)) * length
            painter.capsule(place, next, radius)
            (place, angle) = (next, angle - pinch * 0.25)
        }
        return painter.bitmap
    }

    /// Paints capsules, lit from the upper left, over what is there.
    private struct Painter {
        let origin: SIMD2<Double>
        let scale: Double
        var bitmap: Bitmap

        mutating func capsule(_ from: SIMD2<Double>, _ to: SIMD2<Double>, _ size: Double) {
            let (start, end) = (origin + from * SIMD2(scale, -scale), origin + to * SIMD2(scale, -scale))
            let (radius, way) = (size * scale, end - start)
            let (low, high) = (pointwiseMin(start, end) - radius, pointwiseMax(start, end) + radius)
            for y in max(0, Int(low.y))..<max(0, min(bitmap.height, Int(high.y) + 1)) {
                for x in max(0, Int(low.x))..<max(0, min(bitmap.width, Int(high.x) + 1)) {
                    let point = SIMD2(Double(x), Double(y)) - start
                    let along = min(1, max(0, (point * way).sum() / max(1e-9, (way * way).sum())))
                    let off = (point - way * along) / radius
                    let distance = (off * off).sum()
                    guard distance < 1 else { continue }
                    let light = 0.82 * (1 - distance).squareRoot() - 0.35 * off.x + 0.45 * off.y
                    let shade = 0.55 + 0.45 * min(1, max(0, light))
                    let pixel = y * bitmap.bytesPerRow + x * 4
                    for (channel, value) in [132.0, 168, 222].enumerated() {
                        bitmap.pixels[pixel + channel] = UInt8(value * shade)
                    }
                }
            }
        }
    }
}
