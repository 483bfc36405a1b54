import Foundation

/// A rotated square of a picture that a model runs on, in pixels with the origin at the top left and y down.
struct Region: Sendable, Equatable {
    var center: SIMD2<Double>
    var side: Double
    /// The clockwise rotation in radians.
    var angle: Double
}

extension Region {
    /// The region of a body by MediaPipe's rule: the side is 2.5 times the distance, and `middle` to `rim` points up.
    init(middle: SIMD2<Double>, rim: SIMD2<Double>) {
        let line = rim - middle
        center = middle
        side = 2 * 1.25 * line.length
        angle = .pi / 2 - atan2(-line.y, line.x)
    }

    /// The picture's pixel at a point of the square (0...1 from its top left corner).
    func pixel(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let (c, s) = (cos(angle), sin(angle))
        let offset = (point - 0.5) * side
        return center + SIMD2(c * offset.x - s * offset.y, s * offset.x + c * offset.y)
    }

    /// The point of the square (0...1 from its top left corner) at a pixel of the picture.
    func point(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        let (c, s) = (cos(angle), sin(angle))
        let offset = pixel - center
        return SIMD2(c * offset.x + s * offset.y, -s * offset.x + c * offset.y) / side + 0.5
    }

    /// A model's points in metres, rotated by the region's angle: x right, y up, z towards the camera.
    func world(_ raw: TensorView, count: Int) -> [SIMD3<Float>] {
        let (c, s) = (Float(cos(angle)), Float(sin(angle)))
        return (0..<count).map { index in
            let (x, y, z) = (raw[3 * index], raw[3 * index + 1], raw[3 * index + 2])
            return SIMD3(c * x - s * y, -(s * x + c * y), -z)
        }
    }

    /// Whether the region is finite, near the picture and of a reasonable size.
    func isValid(for size: SIMD2<Double>) -> Bool {
        center.x.isFinite && center.y.isFinite && side.isFinite && angle.isFinite && side >= 4
            && side <= 8 * max(size.x, size.y)
            && center.x > -side && center.y > -side && center.x < size.x + side && center.y < size.y + side
    }
}
