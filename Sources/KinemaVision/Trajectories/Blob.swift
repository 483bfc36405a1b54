/// A connected region of moving pixels, with its moments.
struct Blob: Sendable {
    var area = 0
    var x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0
    /// The sums for the centre, weighted by each pixel's difference.
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

    /// The weighted centre in pixels; the centre of the first pixel is (0, 0).
    var center: SIMD2<Double> { SIMD2(weightedX / weight, weightedY / weight) }

    /// The semi-axes of the ellipse with the same second moments.
    var semiAxes: (long: Double, short: Double) {
        let count = Double(area)
        let (mx, my) = (x / count, y / count)
        // A pixel's square adds a variance of 1/12.
        let (a, b, c) = (xx / count - mx * mx + 1 / 12, xy / count - mx * my, yy / count - my * my + 1 / 12)
        let (mean, half) = ((a + c) / 2, ((a - c) * (a - c) / 4 + b * b).squareRoot())
        return (2 * (mean + half).squareRoot(), 2 * max(mean - half, 1 / 12).squareRoot())
    }

    /// The unions of pairs that may be two sides of one object, such as a lit ball before a grey wall.
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
                    one.area <= maximumAreaRatio * other.area, other.area <= maximumAreaRatio * one.area
                else { continue }
                var union = one
                union.add(other)
                unions.append(union)
            }
        }
        return unions
    }

    /// More blobs than this are noise or leaves and are not paired.
    private static let maximumPieces = 128
    /// The maximum ratio of the areas of an object's two sides.
    private static let maximumAreaRatio = 6
}
