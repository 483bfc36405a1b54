import KinemaMedia

struct SamplingGrid {
    let origin: SamplePosition
    let column: SamplePosition
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

    init(_ mapping: InputMapping, map: PixelMap) {
        self.init(origin: mapping.origin, column: SIMD2(mapping.step.x, 0), row: SIMD2(0, mapping.step.y), map: map)
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
