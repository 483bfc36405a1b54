package import Foundation

/// The motion of constant acceleration that fits places at times best: x and y each a parabola of time.
///
/// Time is a far stronger witness than the path alone: a hand may draw a parabola, but not at a falling thing's pace.
package struct BallisticFit: Sendable {
    /// A place at a time with its standard deviation.
    package struct Sample: Sendable {
        package var time: TimeInterval
        package var position: SIMD2<Double>
        package var deviation: Double

        package init(time: TimeInterval, position: SIMD2<Double>, deviation: Double) {
            self.time = time
            self.position = position
            self.deviation = deviation
        }
    }

    /// What is believed of the acceleration before anything is seen, per axis: mean and standard deviation.
    package struct Prior: Sendable {
        package var mean: SIMD2<Double>
        package var deviation: SIMD2<Double>

        package init(mean: SIMD2<Double>, deviation: SIMD2<Double>) {
            self.mean = mean
            self.deviation = deviation
        }
    }

    /// The time at which `position` and `velocity` hold, seconds.
    package let origin: TimeInterval
    package let position: SIMD2<Double>
    package let velocity: SIMD2<Double>
    package let acceleration: SIMD2<Double>
    /// The standard deviation of the acceleration, as the samples' own deviations make it.
    package let accelerationDeviation: SIMD2<Double>
    /// The robust root mean square distance of the samples from the motion.
    package let residual: Double
    private let spread: (x: SymmetricMatrix, y: SymmetricMatrix)

    /// Fits samples, of which single ones may lie far off; nil for fewer than three or when they do not determine it.
    package init?(_ samples: [Sample], prior: Prior? = nil) {
        guard samples.count >= 3 else { return nil }
        let origin = samples.reduce(0) { $0 + $1.time } / Double(samples.count)
        var weights = samples.map { 1 / ($0.deviation * $0.deviation) }
        var answer = Self.solve(samples, weights, origin, prior)
        // Twice anew, with less say for those that lie more than three deviations off.
        for _ in 0..<2 where samples.count >= 5 {
            guard let first = answer else { return nil }
            weights = samples.map { sample in
                let off = sample.position - first.motion(at: sample.time - origin)
                let ratio = ((off * off).sum() / (9 * sample.deviation * sample.deviation))
                return 1 / (sample.deviation * sample.deviation * (1 + ratio * ratio))
            }
            answer = Self.solve(samples, weights, origin, prior)
        }
        guard let answer else { return nil }
        self.origin = origin
        position = SIMD2(answer.x.x, answer.y.x)
        velocity = SIMD2(answer.x.y, answer.y.y)
        acceleration = 2 * SIMD2(answer.x.z, answer.y.z)
        spread = answer.spread
        accelerationDeviation = 2 * SIMD2(answer.spread.x.cc.squareRoot(), answer.spread.y.cc.squareRoot())
        var (sum, total) = (0.0, 0.0)
        for (sample, weight) in zip(samples, weights) {
            let off = sample.position - answer.motion(at: sample.time - origin)
            sum += weight * (off * off).sum()
            total += weight
        }
        residual = (sum / total).squareRoot()
    }

    /// Where the thing is at a time.
    package func position(at time: TimeInterval) -> SIMD2<Double> {
        let t = time - origin
        return position + velocity * t + acceleration * (t * t / 2)
    }

    /// How fast the thing is at a time, per second.
    package func velocity(at time: TimeInterval) -> SIMD2<Double> {
        velocity + acceleration * (time - origin)
    }

    /// The standard deviation of `position(at:)`, the larger axis's.
    package func deviation(at time: TimeInterval) -> Double {
        let t = time - origin
        return max(spread.x.variance(t), spread.y.variance(t)).squareRoot()
    }

    private struct Answer {
        let x: SIMD3<Double>
        let y: SIMD3<Double>
        let spread: (x: SymmetricMatrix, y: SymmetricMatrix)

        func motion(at t: Double) -> SIMD2<Double> {
            SIMD2(x.x + x.y * t + x.z * t * t, y.x + y.y * t + y.z * t * t)
        }
    }

    private static func solve(
        _ samples: [Sample], _ weights: [Double], _ origin: TimeInterval, _ prior: Prior?
    ) -> Answer? {
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
            // The third unknown is half the acceleration.
            let weight = 4 / (prior.deviation * prior.deviation)
            forX.cc += weight.x
            forY.cc += weight.y
            right.x.z += weight.x * prior.mean.x / 2
            right.y.z += weight.y * prior.mean.y / 2
        }
        guard let inverseX = forX.inverse, let inverseY = forY.inverse else { return nil }
        return Answer(x: inverseX * right.x, y: inverseY * right.y, spread: (inverseX, inverseY))
    }
}

/// A symmetric matrix of three rows.
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

    /// Nil when the rows do not determine it.
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

    /// The variance of the parabola with these unknowns' spread at a place.
    func variance(_ t: Double) -> Double {
        let row = SIMD3(1, t, t * t)
        return max(0, (row * (self * row)).sum())
    }
}

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
        // A point three deviations off counts half: half a ball at the picture's edge, or one that touches a hand.
        var weights = [Double](repeating: 1, count: points.count)
        var answer = SIMD3<Double>()
        for _ in 0..<6 {
            var (normal, right) = (SymmetricMatrix(), SIMD3<Double>())
            for (point, weight) in zip(points, weights) {
                let u = (point.x - middle) / reach
                let row = SIMD3(1, u, u * u)
                normal.add(row, weight)
                right += row * (weight * point.y)
            }
            guard let inverse = normal.inverse else { return nil }
            answer = inverse * right
            weights = Self.weights(points.map { ($0, ($0.x - middle) / reach) }, answer, reach)
        }
        a = answer.z / (reach * reach)
        b = answer.y / reach - 2 * a * middle
        c = answer.x - answer.y * middle / reach + a * middle * middle
    }

    private static func weights(
        _ points: [(place: SIMD2<Double>, u: Double)], _ answer: SIMD3<Double>, _ reach: Double
    ) -> [Double] {
        let slopes = points.map { (answer.y + 2 * answer.z * $0.u) / reach }
        let distances = zip(points, slopes).map { point, slope in
            abs(point.place.y - (answer.x + answer.y * point.u + answer.z * point.u * point.u))
                / (1 + slope * slope).squareRoot()
        }
        let deviation = max(1.48 * distances.sorted()[distances.count / 2], 1e-9)
        return zip(distances, slopes).map { distance, slope in
            let ratio = distance / (3 * deviation)
            return 1 / ((1 + slope * slope) * (1 + ratio * ratio))
        }
    }

    /// The height at a place.
    package func callAsFunction(_ x: Double) -> Double { (a * x + b) * x + c }
}
