import KinemaMedia

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
