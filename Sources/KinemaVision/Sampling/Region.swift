import Foundation

/// A rotated square of a picture that a model looks at; pixels, origin at the top left, y down.
struct Region: Sendable, Equatable {
    /// The middle.
    var center: SIMD2<Double>
    /// The length of a side.
    var side: Double
    /// How far the square is turned clockwise, radians; at 0 its top is the picture's top.
    var angle: Double

    /// The region around a body from its middle and the point that gives size and rotation.
    ///
    /// MediaPipe's rule: side = 2.5 x the distance, turned so that `middle` to `rim` points up.
    init(middle: SIMD2<Double>, rim: SIMD2<Double>) {
        let line = rim - middle
        center = middle
        side = 2 * 1.25 * (line.x * line.x + line.y * line.y).squareRoot()
        angle = .pi / 2 - atan2(-line.y, line.x)
    }

    init(center: SIMD2<Double>, side: Double, angle: Double) {
        self.center = center
        self.side = side
        self.angle = angle
    }

    /// The picture's pixel that lies at `point` of the square (0...1 from its top left corner).
    func pixel(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let (c, s) = (cos(angle), sin(angle))
        let offset = (point - 0.5) * side
        return center + SIMD2(c * offset.x - s * offset.y, s * offset.x + c * offset.y)
    }

    /// Whether the numbers can be used at all, and the square is not absurdly large for the picture.
    func isSound(for size: SIMD2<Double>) -> Bool {
        center.x.isFinite && center.y.isFinite && side.isFinite && angle.isFinite && side >= 4
            && side <= 8 * max(size.x, size.y)
            && center.x > -side && center.y > -side && center.x < size.x + side && center.y < size.y + side
    }
}
