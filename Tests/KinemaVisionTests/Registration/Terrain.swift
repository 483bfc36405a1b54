@testable import KinemaSampling
import Foundation
import KinemaCore
import KinemaMedia
import KinemaSynth

/// A landscape of brightness defined everywhere, so that a picture of it can be taken at any place, exactly.
struct Terrain {
    private let waves: [(direction: SIMD2<Double>, phase: Double, height: Double)]
    private let spots: [(place: SIMD2<Double>, radius: Double, height: Double)]

    init(seed: UInt64) {
        var random = RandomSource(seed: seed)
        waves = (0..<24).map { _ in
            // Wave lengths from 8 to 300 pixels, the longer the higher.
            let length = 8 * pow(37, random.number(in: 0...1))
            let angle = random.number(in: 0...(2 * .pi))
            return (
                SIMD2(cos(angle), sin(angle)) * (2 * .pi / length), random.number(in: 0...(2 * .pi)),
                1.2 * pow(length, 0.4)
            )
        }
        spots = (0..<150).map { _ in
            (
                SIMD2(random.number(in: -200...840), random.number(in: -150...510)), random.number(in: 3...25),
                random.number(in: -60...60)
            )
        }
    }

    /// A picture of what lies around: its content is moved by `shift` pixels, y downwards; noise in levels of 255.
    func picture(
        width: Int = 640, height: Int = 360, shift: SIMD2<Double> = .zero, noise: Double = 0, seed: UInt64 = 1
    ) -> GrayPicture {
        var random = RandomSource(seed: seed)
        var values = [Double](repeating: 120, count: width * height)
        for wave in waves {
            // sin(a + b) = sin a cos b + cos a sin b, so that columns and rows are computed once.
            let across = (0..<width).map { (Double($0) - shift.x) * wave.direction.x + wave.phase }
            let (sines, cosines) = (across.map { sin($0) }, across.map { cos($0) })
            for y in 0..<height {
                let down = (Double(y) - shift.y) * wave.direction.y
                let (s, c) = (wave.height * sin(down), wave.height * cos(down))
                for x in 0..<width { values[y * width + x] += sines[x] * c + cosines[x] * s }
            }
        }
        for spot in spots {
            let (place, reach) = (spot.place + shift, 3 * spot.radius)
            let columns =
                max(0, Int(place.x - reach))..<max(0, min(width, Int(place.x + reach) + 1), Int(place.x - reach))
            let rows =
                max(0, Int(place.y - reach))..<max(0, min(height, Int(place.y + reach) + 1), Int(place.y - reach))
            for y in rows where y < height {
                for x in columns where x < width {
                    let way = (SIMD2(Double(x), Double(y)) - place) / spot.radius
                    values[y * width + x] += spot.height * exp(-(way * way).sum())
                }
            }
        }
        let pixels = values.map { value in
            UInt8(min(max((value + (noise > 0 ? noise * random.normal() : 0)).rounded(), 0), 255))
        }
        return GrayPicture(width: width, height: height, pixels: pixels)
    }
}

extension GrayPicture {
    /// The picture as a frame of a stream of 30 frames a second.
    func frame(_ number: Int, source: String = "terrain") -> VideoFrame {
        VideoFrame(
            bitmap: Bitmap(width: width, height: height, pixels: pixels.flatMap { [$0, $0, $0, 255] }),
            id: TemporalSegmentIdentifier(source: source, range: number..<(number + 1), timescale: 30))
    }
}
