extension PlanePicture {
    /// The steepest point in each square of `cell` pixels above `minimumSlope` (levels of 255 per pixel), row by row.
    func steepestPoints(cell: Int, rim: Int, minimumSlope: Float) -> [(x: Int, y: Int)] {
        var points: [(x: Int, y: Int)] = []
        for top in stride(from: rim, to: height - cell - rim + 1, by: cell) {
            for left in stride(from: rim, to: width - cell - rim + 1, by: cell) {
                var best: (x: Int, y: Int)?
                var steepest = minimumSlope * minimumSlope
                for y in top..<top + cell {
                    for x in left..<left + cell {
                        let slope = slope(x, y)
                        let size = slope.x * slope.x + slope.y * slope.y
                        if size > steepest { (steepest, best) = (size, (x, y)) }
                    }
                }
                if let best { points.append(best) }
            }
        }
        return points
    }

    func slope(_ x: Int, _ y: Int) -> SIMD2<Float> {
        let index = y * width + x
        return SIMD2(
            Float(Int(pixels[index + 1]) - Int(pixels[index - 1])) / 2,
            Float(Int(pixels[index + width]) - Int(pixels[index - width])) / 2)
    }

    /// The value by bilinear interpolation; positions are clamped to the picture.
    func value(_ x: Float, _ y: Float) -> Float {
        let (x, y) = (min(max(x, 0), Float(width) - 1.001), min(max(y, 0), Float(height) - 1.001))
        let (column, row) = (Int(x), Int(y))
        let (dx, dy) = (x - Float(column), y - Float(row))
        let index = row * width + column
        let top = Float(pixels[index]) * (1 - dx) + Float(pixels[index + 1]) * dx
        let bottom = Float(pixels[index + width]) * (1 - dx) + Float(pixels[index + width + 1]) * dx
        return top * (1 - dy) + bottom * dy
    }
}
