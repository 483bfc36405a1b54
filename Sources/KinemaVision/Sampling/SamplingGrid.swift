import KinemaMedia

/// Where the input's pixels lie in the stored picture.
struct SamplingGrid {
    let origin: SamplePosition
    /// From one column to the next.
    let column: SamplePosition
    /// From one row to the next.
    let row: SamplePosition

    init(_ region: Region, side: Int, map: PixelMap) {
        let corner = map.stored(region.pixel(SIMD2(0, 0)))
        func fixed(_ way: SIMD2<Double>) -> SamplePosition {
            SamplePosition(x: Int((way.x * 65536).rounded()), y: Int((way.y * 65536).rounded()))
        }
        origin = fixed(corner)
        column = fixed((map.stored(region.pixel(SIMD2(1, 0))) - corner) / Double(side))
        row = fixed((map.stored(region.pixel(SIMD2(0, 1))) - corner) / Double(side))
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
