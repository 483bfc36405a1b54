import Foundation
import KinemaCore

/// The best-fitting motion of constant acceleration: x and y are parabolas of time. Timing is the stronger evidence: a
/// hand can follow a parabola, but not at the pace of a falling object.
struct BallisticFit: Sendable {
    struct Sample: Sendable {
        var time: TimeInterval
        var position: SIMD2<Double>
        var deviation: Double
    }

    struct Prior: Sendable {
        var mean: SIMD2<Double>
        var deviation: SIMD2<Double>
    }

    /// The time in seconds that `position` and `velocity` refer to.
    let origin: TimeInterval
    let position: SIMD2<Double>
    let velocity: SIMD2<Double>
    let acceleration: SIMD2<Double>
    /// The standard deviation of the acceleration that follows from the samples' deviations.
    let accelerationDeviation: SIMD2<Double>
    /// The robust root mean square distance of the samples from the motion.
    let residual: Double
    private let covariance: (x: SymmetricMatrix, y: SymmetricMatrix)

    /// Fits samples robustly; nil for fewer than three samples or if they do not determine the motion.
    init?(_ samples: [Sample], prior: Prior? = nil) {
        guard samples.count >= 3 else { return nil }
        let origin = samples.reduce(0) { $0 + $1.time } / Double(samples.count)
        var weights = samples.map { 1 / ($0.deviation * $0.deviation) }
        var solution = Self.solve(samples, weights, origin, prior)
        // Two more passes reduce the weight of samples more than three deviations away.
        for _ in 0..<2 where samples.count >= 5 {
            guard let first = solution else { return nil }
            weights = samples.map { sample in
                let offset = sample.position - first.motion(at: sample.time - origin)
                let ratio = ((offset * offset).sum() / (9 * sample.deviation * sample.deviation))
                return 1 / (sample.deviation * sample.deviation * (1 + ratio * ratio))
            }
            solution = Self.solve(samples, weights, origin, prior)
        }
        guard let solution else { return nil }
        self.origin = origin
        position = SIMD2(solution.x.x, solution.y.x)
        velocity = SIMD2(solution.x.y, solution.y.y)
        acceleration = 2 * SIMD2(solution.x.z, solution.y.z)
        covariance = solution.covariance
        accelerationDeviation = 2 * SIMD2(covariance.x.cc.squareRoot(), covariance.y.cc.squareRoot())
        var (sum, total) = (0.0, 0.0)
        for (sample, weight) in zip(samples, weights) {
            let offset = sample.position - solution.motion(at: sample.time - origin)
            sum += weight * (offset * offset).sum()
            total += weight
        }
        residual = (sum / total).squareRoot()
    }

    func position(at time: TimeInterval) -> SIMD2<Double> {
        let t = time - origin
        return position + velocity * t + acceleration * (t * t / 2)
    }

    /// The standard deviation of `position(at:)`, for the less certain axis.
    func deviation(at time: TimeInterval) -> Double {
        let t = time - origin
        return max(covariance.x.variance(t), covariance.y.variance(t)).squareRoot()
    }

    /// The coefficients of 1, t and t² for each axis, with their covariance.
    private struct Solution {
        let x: SIMD3<Double>
        let y: SIMD3<Double>
        let covariance: (x: SymmetricMatrix, y: SymmetricMatrix)

        func motion(at t: Double) -> SIMD2<Double> {
            SIMD2(x.x + x.y * t + x.z * t * t, y.x + y.y * t + y.z * t * t)
        }
    }

    private static func solve(
        _ samples: [Sample], _ weights: [Double], _ origin: TimeInterval, _ prior: Prior?
    ) -> Solution? {
        var (normal, right) = (SymmetricMatrix(), (x: SIMD3<Double>(), y: SIMD3<Double>()))
        for (sample, weight) in zip(samples, weights) {
            let t = sample.time - origin
            let row = SIMD3(1, t, t * t)
            normal.add(row, weight)
            right.x += row * (weight * sample.position.x)
            right.y += row * (weight * sample.position.y)
        }
        var (forX, forY) = (normal, normal)
        if let prior {
            // The third coefficient is half the acceleration.
            let weight = 4 / (prior.deviation * prior.deviation)
            forX.cc += weight.x
            forY.cc += weight.y
            right.x.z += weight.x * prior.mean.x / 2
            right.y.z += weight.y * prior.mean.y / 2
        }
        guard let inverseX = forX.inverse, let inverseY = forY.inverse else { return nil }
        return Solution(x: inverseX * right.x, y: inverseY * right.y, covariance: (inverseX, inverseY))
    }
}

struct SymmetricMatrix: Sendable {
    var aa = 0.0, ab = 0.0, ac = 0.0, bb = 0.0, bc = 0.0, cc = 0.0

    mutating func add(_ row: SIMD3<Double>, _ weight: Double) {
        aa += weight * row.x * row.x
        ab += weight * row.x * row.y
        ac += weight * row.x * row.z
        bb += weight * row.y * row.y
        bc += weight * row.y * row.z
        cc += weight * row.z * row.z
    }

    var inverse: SymmetricMatrix? {
        let (aa2, ab2, ac2) = (bb * cc - bc * bc, ac * bc - ab * cc, ab * bc - ac * bb)
        let determinant = aa * aa2 + ab * ab2 + ac * ac2
        guard determinant.isFinite, determinant > 1e-12 * aa * bb * cc, determinant > 0 else { return nil }
        return SymmetricMatrix(
            aa: aa2 / determinant, ab: ab2 / determinant, ac: ac2 / determinant,
            bb: (aa * cc - ac * ac) / determinant, bc: (ab * ac - aa * bc) / determinant,
            cc: (aa * bb - ab * ab) / determinant)
    }

    static func * (matrix: Self, vector: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(
            matrix.aa * vector.x + matrix.ab * vector.y + matrix.ac * vector.z,
            matrix.ab * vector.x + matrix.bb * vector.y + matrix.bc * vector.z,
            matrix.ac * vector.x + matrix.bc * vector.y + matrix.cc * vector.z)
    }

    /// The variance of a parabola at `t` whose coefficients have this covariance.
    func variance(_ t: Double) -> Double {
        let row = SIMD3(1, t, t * t)
        return max(0, (row * (self * row)).sum())
    }
}

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
            let height = coefficients.x + coefficients.y * point.u + coefficients.z * point.u * point.u
            return abs(point.y - height) / (1 + slope * slope).squareRoot()
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
