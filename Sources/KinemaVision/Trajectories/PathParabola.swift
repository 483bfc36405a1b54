import KinemaCore

/// The parabola y = ax² + bx + c fitted by orthogonal regression, since least squares lets steep ends dominate. The
/// vertical distance divided by the slope's length is the distance from the curve (one Gauss-Newton step).
package struct PathParabola: Sendable, Hashable {
    package var a: Double
    package var b: Double
    package var c: Double

    package func callAsFunction(_ x: Double) -> Double { (a * x + b) * x + c }
}

extension PathParabola {
    /// Fits points whose axes have the same unit; nil for fewer than three points or points on a vertical line.
    init?(_ points: [SIMD2<Double>]) {
        guard points.count >= 3 else { return nil }
        let center = points.reduce(0) { $0 + $1.x } / Double(points.count)
        let scale = points.reduce(0) { max($0, abs($1.x - center)) }
        guard scale > 0 else { return nil }
        // A point three deviations away has half the weight: a ball cut off by the picture's edge or touching a hand.
        var weights = [Double](repeating: 1, count: points.count)
        var coefficients = SIMD3<Double>()
        for _ in 0..<6 {
            var (normal, right) = (SymmetricMatrix(), SIMD3<Double>())
            for (point, weight) in zip(points, weights) {
                let u = (point.x - center) / scale
                let row = SIMD3(1, u, u * u)
                normal.add(row, weight)
                right += row * (weight * point.y)
            }
            guard let inverse = normal.inverse else { return nil }
            coefficients = inverse * right
            weights = Self.weights(points.map { (($0.x - center) / scale, $0.y) }, coefficients, scale)
        }
        a = coefficients.z / (scale * scale)
        b = coefficients.y / scale - 2 * a * center
        c = coefficients.x - coefficients.y * center / scale + a * center * center
    }

    private static func weights(
        _ points: [(u: Double, y: Double)], _ coefficients: SIMD3<Double>, _ scale: Double
    ) -> [Double] {
        let slopes = points.map { (coefficients.y + 2 * coefficients.z * $0.u) / scale }
        let distances = zip(points, slopes).map { point, slope in
            abs(point.y - (coefficients.x + coefficients.y * point.u + coefficients.z * point.u * point.u))
                / (1 + slope * slope).squareRoot()
        }
        let deviation = max(1.48 * (distances.quantile(0.5) ?? 0), 1e-9)
        return zip(distances, slopes).map { distance, slope in
            let ratio = distance / (3 * deviation)
            return 1 / ((1 + slope * slope) * (1 + ratio * ratio))
        }
    }

    func nearest(to point: SIMD2<Double>) -> SIMD2<Double> {
        var x = point.x
        // Newton's method on the squared distance; bounding the curvature limits the steps.
        for _ in 0..<12 {
            let (height, slope) = (self(x) - point.y, 2 * a * x + b)
            let gradient = x - point.x + height * slope
            let curvature = max(1 + slope * slope + 2 * a * height, 0.5 * (1 + slope * slope))
            let step = gradient / curvature
            x -= step
            if abs(step) < 1e-9 { break }
        }
        return SIMD2(x, self(x))
    }
}
