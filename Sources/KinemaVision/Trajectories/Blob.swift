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

    /// Patches that may be the two sides of one thing, taken together: a ball that is lit is brighter than a grey wall on
    /// one side and darker on the other, and in between it is as grey as the wall.
    static func unions(of blobs: [Blob]) -> [Blob] {
        let pieces = blobs.filter { $0.area >= 4 }.sorted { $0.left < $1.left }
        guard pieces.count <= maximumPieces else { return [] }
        var unions: [Blob] = []
        for (index, one) in pieces.enumerated() {
            let reach = one.semiAxes.short
            for other in pieces[(index + 1)...] {
                let gap = SIMD2(other.left - one.right, max(other.top - one.bottom, one.top - other.bottom)) &- 1
                let limit = reach + other.semiAxes.short
                if Double(gap.x) > 2 * reach + 1 && Double(gap.x) > limit { break }
                guard Double(max(gap.x, gap.y)) <= limit,
                    one.area <= largestRatio * other.area, other.area <= largestRatio * one.area
                else { continue }
                var union = one
                union.add(other)
                unions.append(union)
            }
        }
        return unions
    }

    /// More patches than that are grain or leaves; to pair them would take long and say nothing.
    private static let maximumPieces = 128
    /// Two sides of one thing differ in area by no more.
    private static let largestRatio = 6
}
