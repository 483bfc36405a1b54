/// The turned rectangle of least area around points.
struct EnclosingRectangle: Sendable, Equatable {
    /// Its corners, going around from x towards y.
    var corners: [SIMD2<Double>]

    /// The rectangle around the points, flat when they lie on a line; all corners at the origin when there are none.
    ///
    /// One side lies on a side of the convex hull (Freeman and Shapira 1975).
    init(around points: [SIMD2<Double>]) {
        let hull = Polygon.hull(points)
        guard hull.count > 1 else {
            corners = [SIMD2<Double>](repeating: hull.first ?? SIMD2(0, 0), count: 4)
            return
        }
        var best: (area: Double, corners: [SIMD2<Double>])?
        for (index, corner) in hull.enumerated() {
            let next = hull[(index + 1) % hull.count]
            let along = (next - corner) / Polygon.distance(corner, next)
            let across = SIMD2(-along.y, along.x)
            var (low, high) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
            for point in hull {
                let place = SIMD2(((point - corner) * along).sum(), ((point - corner) * across).sum())
                low = pointwiseMin(low, place)
                high = pointwiseMax(high, place)
            }
            let area = (high.x - low.x) * (high.y - low.y)
            guard area < (best?.area ?? .infinity) else { continue }
            best = (
                area,
                [SIMD2(low.x, low.y), SIMD2(high.x, low.y), SIMD2(high.x, high.y), SIMD2(low.x, high.y)]
                    .map { corner + along * $0.x + across * $0.y }
            )
        }
        corners = best?.corners ?? []
    }
}
