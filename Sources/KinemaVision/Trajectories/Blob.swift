/// A patch of pixels that move, with what its shape needs to be known by.
struct Blob: Sendable {
    /// Pixels.
    var area = 0
    /// Sums of columns and rows, and of their squares and product.
    var x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0
    /// The same for the middle, each pixel weighted by how much it differs.
    var weight = 0.0, weightedX = 0.0, weightedY = 0.0
    var left = Int.max, right = Int.min, top = Int.max, bottom = Int.min

    mutating func add(_ other: Blob) {
        area += other.area
        x += other.x
        y += other.y
        xx += other.xx
        yy += other.yy
        xy += other.xy
        weight += other.weight
        weightedX += other.weightedX
        weightedY += other.weightedY
        left = min(left, other.left)
        right = max(right, other.right)
        top = min(top, other.top)
        bottom = max(bottom, other.bottom)
    }

    /// The middle in pixels: the centre of the first pixel is (0, 0).
    var middle: SIMD2<Double> { SIMD2(weightedX / weight, weightedY / weight) }

    /// Half the length and half the width of the ellipse with the same second moments.
    var semiAxes: (long: Double, short: Double) {
        let count = Double(area)
        let (mx, my) = (x / count, y / count)
        // A pixel is not a point: a square of side 1 has a variance of 1/12.
        let (a, b, c) = (xx / count - mx * mx + 1 / 12, xy / count - mx * my, yy / count - my * my + 1 / 12)
        let (mean, half) = ((a + c) / 2, ((a - c) * (a - c) / 4 + b * b).squareRoot())
        return (2 * (mean + half).squareRoot(), 2 * max(mean - half, 1 / 12).squareRoot())
    }
}
