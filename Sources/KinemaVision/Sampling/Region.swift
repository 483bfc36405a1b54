import Foundation
import KinemaMedia

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

/// Where the input's pixels lie in the stored picture.
struct SamplingGrid {
    let origin: SamplePosition
    /// From one column to the next.
    let column: SamplePosition
    /// From one row to the next.
    let row: SamplePosition

    init(_ region: Region, side: Int, map: PixelMap) {
        let corner = region.pixel(SIMD2(0, 0))
        self.init(
            origin: corner, column: (region.pixel(SIMD2(1, 0)) - corner) / Double(side),
            row: (region.pixel(SIMD2(0, 1)) - corner) / Double(side), map: map)
    }

    /// A picture stretched to another size, edge on edge: the outermost samples lie half a step inside it.
    init(stretching size: (width: Int, height: Int), to input: (width: Int, height: Int), map: PixelMap) {
        let step = SIMD2(Double(size.width) / Double(input.width), Double(size.height) / Double(input.height))
        self.init(origin: step / 2 - 0.5, column: SIMD2(step.x, 0), row: SIMD2(0, step.y), map: map)
    }

    /// The first pixel and the ways to the next in the displayed picture, whose pixels' centres have whole numbers.
    private init(origin: SIMD2<Double>, column: SIMD2<Double>, row: SIMD2<Double>, map: PixelMap) {
        func fixed(_ way: SIMD2<Double>) -> SamplePosition {
            SamplePosition(x: Int((way.x * 65536).rounded()), y: Int((way.y * 65536).rounded()))
        }
        let corner = map.stored(origin)
        self.origin = fixed(corner)
        self.column = fixed(map.stored(origin + column) - corner)
        self.row = fixed(map.stored(origin + row) - corner)
    }

    /// Which of the `count` positions from `start` on lie within 0...limit; empty at 0 when none does.
    static func columnsInside(
        of limit: SamplePosition, from start: SamplePosition, step: SamplePosition, count: Int
    ) -> Range<Int> {
        let columns = steps(from: start.x, by: step.x, within: limit.x, count: count)
            .clamped(to: steps(from: start.y, by: step.y, within: limit.y, count: count))
        return columns.isEmpty ? 0..<0 : columns
    }

    /// For which of `count` steps `start + n * step` lies within 0...limit.
    private static func steps(from start: Int, by step: Int, within limit: Int, count: Int) -> Range<Int> {
        guard step != 0 else { return start >= 0 && start <= limit ? 0..<count : 0..<0 }
        // Going down is going up seen from the other end.
        let (start, step) = step > 0 ? (start, step) : (limit - start, -step)
        guard start <= limit else { return 0..<0 }
        let first = start >= 0 ? 0 : (step - 1 - start) / step
        let end = min(count, (limit - start) / step + 1)
        return first < end ? first..<end : 0..<0
    }
}
