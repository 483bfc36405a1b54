import Foundation
import KinemaMedia

/// A rotated square of a picture that a model runs on, in pixels with the origin at the top left and y down.
struct Region: Sendable, Equatable {
    var center: SIMD2<Double>
    /// The length of a side.
    var side: Double
    /// The clockwise rotation in radians.
    var angle: Double

    /// The region of a body, from its hip centre and the point that gives size and rotation.
    ///
    /// MediaPipe's rule: the side is 2.5 times the distance, rotated so that `middle` to `rim` points up.
    init(middle: SIMD2<Double>, rim: SIMD2<Double>) {
        let line = rim - middle
        center = middle
        side = 2 * 1.25 * line.length
        angle = .pi / 2 - atan2(-line.y, line.x)
    }

    init(center: SIMD2<Double>, side: Double, angle: Double) {
        self.center = center
        self.side = side
        self.angle = angle
    }

    /// The picture's pixel at a point of the square (0...1 from its top left corner).
    func pixel(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let (c, s) = (cos(angle), sin(angle))
        let offset = (point - 0.5) * side
        return center + SIMD2(c * offset.x - s * offset.y, s * offset.x + c * offset.y)
    }

    /// Whether the region is finite, near the picture and of a reasonable size.
    func isValid(for size: SIMD2<Double>) -> Bool {
        center.x.isFinite && center.y.isFinite && side.isFinite && angle.isFinite && side >= 4
            && side <= 8 * max(size.x, size.y)
            && center.x > -side && center.y > -side && center.x < size.x + side && center.y < size.y + side
    }
}

/// The positions of a model input's pixels in the stored picture.
struct SamplingGrid {
    /// The position of the first pixel.
    let origin: SamplePosition
    /// The step from one column to the next.
    let column: SamplePosition
    /// The step from one row to the next.
    let row: SamplePosition

    init(_ region: Region, side: Int, map: PixelMap) {
        let corner = region.pixel(SIMD2(0, 0))
        self.init(
            origin: corner, column: (region.pixel(SIMD2(1, 0)) - corner) / Double(side),
            row: (region.pixel(SIMD2(0, 1)) - corner) / Double(side), map: map)
    }

    /// The grid that stretches a whole picture to another size; the outermost samples are half a step from its edge.
    init(stretching size: (width: Int, height: Int), to input: (width: Int, height: Int), map: PixelMap) {
        let step = SIMD2(Double(size.width) / Double(input.width), Double(size.height) / Double(input.height))
        self.init(origin: step / 2 - 0.5, column: SIMD2(step.x, 0), row: SIMD2(0, step.y), map: map)
    }

    /// The grid of an upright part.
    init(_ mapping: InputMapping, map: PixelMap) {
        self.init(
            origin: mapping.origin, column: SIMD2(mapping.step.x, 0), row: SIMD2(0, mapping.step.y), map: map)
    }

    /// The grid from positions in the displayed picture, where pixel centres have integer coordinates.
    private init(origin: SIMD2<Double>, column: SIMD2<Double>, row: SIMD2<Double>, map: PixelMap) {
        func fixed(_ vector: SIMD2<Double>) -> SamplePosition {
            SamplePosition(x: Int((vector.x * 65536).rounded()), y: Int((vector.y * 65536).rounded()))
        }
        let corner = map.stored(origin)
        self.origin = fixed(corner)
        self.column = fixed(map.stored(origin + column) - corner)
        self.row = fixed(map.stored(origin + row) - corner)
    }

    /// The indices of the positions `start + n * step` that lie within 0...limit; 0..<0 if none does.
    static func columnsInside(
        of limit: SamplePosition, from start: SamplePosition, step: SamplePosition, count: Int
    ) -> Range<Int> {
        let columns = steps(from: start.x, by: step.x, within: limit.x, count: count)
            .clamped(to: steps(from: start.y, by: step.y, within: limit.y, count: count))
        return columns.isEmpty ? 0..<0 : columns
    }

    /// The values n below `count` for which `start + n * step` lies within 0...limit.
    private static func steps(from start: Int, by step: Int, within limit: Int, count: Int) -> Range<Int> {
        guard step != 0 else { return start >= 0 && start <= limit ? 0..<count : 0..<0 }
        // Mirror a negative step into a positive one.
        let (start, step) = step > 0 ? (start, step) : (limit - start, -step)
        guard start <= limit else { return 0..<0 }
        let first = start >= 0 ? 0 : (step - 1 - start) / step
        let end = min(count, (limit - start) / step + 1)
        return first < end ? first..<end : 0..<0
    }
}
