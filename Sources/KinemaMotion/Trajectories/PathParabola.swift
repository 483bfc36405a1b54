import Foundation

/// The parabola y = ax² + bx + c nearest to points, by their distance from it and not by their height above it.
///
/// Least squares over heights lets the steep ends of a lob rule; dividing each height by the slope's length there makes
/// it the distance from the curve (Gauss and Newton's step for orthogonal regression).
package struct PathParabola: Sendable, Hashable {
    package var a: Double
    package var b: Double
    package var c: Double

    package init(a: Double, b: Double, c: Double) {
        (self.a, self.b, self.c) = (a, b, c)
    }

    /// Fits points in a frame whose axes have the same unit; nil when they lie above one another.
    package init?(_ points: [SIMD2<Double>]) {
        guard points.count >= 3 else { return nil }
        let middle = points.reduce(0) { $0 + $1.x } / Double(points.count)
        let reach = points.reduce(0) { max($0, abs($1.x - middle)) }
        guard reach > 0 else { return nil }
        var slopes = [Double](repeating: 0, count: points.count)
        var answer = SIMD3<Double>()
        for _ in 0..<6 {
            var (normal, right) = (SymmetricMatrix(), SIMD3<Double>())
            for (point, slope) in zip(points, slopes) {
                let u = (point.x - middle) / reach
                let (row, weight) = (SIMD3(1, u, u * u), 1 / (1 + slope * slope))
                normal.add(row, weight)
                right += row * (weight * point.y)
            }
            guard let inverse = normal.inverse else { return nil }
            answer = inverse * right
            slopes = points.map { (answer.y + 2 * answer.z * ($0.x - middle) / reach) / reach }
        }
        a = answer.z / (reach * reach)
        b = answer.y / reach - 2 * a * middle
        c = answer.x - answer.y * middle / reach + a * middle * middle
    }

    /// The height at a place.
    package func callAsFunction(_ x: Double) -> Double { (a * x + b) * x + c }
}
