/// A thrown bag: in the hand, on a ballistic path and at rest.
struct BagFlight: Sendable {
    /// Half a bag's thickness at rest, in metres.
    static let halfThickness = 0.03

    var style: ThrowStyle
    /// From the release to hitting the board, the hole or the ground.
    var path: BallisticFlight
    var landing: BagLanding
    /// The displacement by sliding after the landing, in metres.
    var slide: Vector

    var speed: Double { path.velocity.length }

    /// The distance along the ground from the release to the arrival, in metres.
    var distance: Double { path.velocity.level.length * (path.end - path.start) }

    /// The launch angle above the horizontal, in degrees.
    var angle: Double {
        let (x, y, z) = (path.velocity.x, path.velocity.y, path.velocity.z)
        return arcTangent(y, (x * x + z * z).squareRoot()) * 180 / Double.pi
    }

    /// The bag's centre; nil before the release and once it has vanished in the hole.
    func position(at time: Double) -> Vector? {
        guard let flown = path.position(at: min(time, path.end)) else { return nil }
        let since = time - path.end
        guard since > 0 else { return flown }
        guard landing != .hole else {
            // It keeps falling behind the board's face for a moment.
            let moved = path.velocity * Vector(0.2, 0, 0.2) * since
            return since < 0.05 ? flown + moved - Vector.up * (2 * since) : nil
        }
        let share = min(since / 0.35, 1)
        return flown + slide * (1 - (1 - share) * (1 - share))
    }

    func turn(at time: Double) -> Double { 5 * (min(time, path.end) - path.start) }
}

/// The landing of a bag: in the hole, on the board or on the ground.
package enum BagLanding: String, CaseIterable, Codable, Sendable {
    case hole, board, off
}

/// A ball in free flight without drag.
package struct BallisticFlight: Sendable {
    /// Standard gravity, m/s² (3rd CGPM, 1901).
    package static let gravity = 9.80665

    /// The times of the release and the end, in seconds.
    package var start, end: Double
    /// The release point, in metres.
    package var origin: Vector
    /// The release velocity, in metres per second.
    package var velocity: Vector
}

extension BallisticFlight {
    /// Makes a flight with a launch angle above the horizontal (radians), whose direction is taken to lead at least
    /// `leastRise` metres above the target; infinitely fast if no throw at it reaches the target.
    package init(start: Double, from origin: Vector, to target: Vector, angle: Double, leastRise: Double = 0) {
        let displacement = Vector(target.x - origin.x, 0, target.z - origin.z)
        let distance = displacement.length
        let rise = max(distance * tangent(angle) - (target.y - origin.y), leastRise)
        let level = (BallisticFlight.gravity * distance * distance / (2 * rise)).squareRoot()
        self.init(
            start: start, end: start + distance / level, origin: origin,
            velocity: displacement.unit * level + Vector.up * (level * tangent(angle)))
    }

    /// The centre of the ball at a time, in metres; nil before and after the flight.
    package func position(at time: Double) -> Vector? {
        guard time >= start, time <= end else { return nil }
        let t = time - start
        return origin + velocity * t - Vector.up * (BallisticFlight.gravity * t * t / 2)
    }

    /// The velocity at a time, in metres per second.
    package func velocity(at time: Double) -> Vector {
        velocity - Vector.up * (BallisticFlight.gravity * (time - start))
    }
}

package struct FlightTruth: Codable, Sendable, Equatable {
    /// The release and the landing, in seconds.
    package var start, end: Double
    /// The times at which the ball is in the picture, in seconds from the first frame.
    package var times: [Double]
    /// The position at each of these times: x and y, normalised, origin at the lower left.
    package var points: [[Double]]
    /// The mean radius of the ball, in picture widths.
    package var radius: Double
    /// a, b and c of y = ax² + bx + c, fitted by least squares; empty if the points have no horizontal extent.
    package var coefficients: [Double]
}

extension SynthScene {
    /// The flights that are visible in at least five frames.
    package func flightTruth() -> [FlightTruth] {
        balls.flatMap { ball in ball.flights.compactMap { truth(of: $0, radius: ball.radius) } }
            .sorted { $0.start < $1.start }
    }

    private func truth(of flight: BallisticFlight, radius: Double) -> FlightTruth? {
        var truth = FlightTruth(
            start: flight.start, end: flight.end, times: [], points: [], radius: 0, coefficients: [])
        for frame in 0..<frameCount {
            let time = frameRate.seconds(atFrame: frame)
            let projection = projection(at: frame)
            guard let position = flight.position(at: time), let image = projection.normalized(position),
                (0...1).contains(image.x), (0...1).contains(image.y)
            else { continue }
            truth.times.append(time)
            truth.points.append([image.x, image.y])
            truth.radius += projection.focal * radius / projection.cameraSpace(position).z / Double(settings.width)
        }
        guard truth.times.count >= 5 else { return nil }
        truth.radius /= Double(truth.times.count)
        truth.coefficients = Self.parabola(truth.points) ?? []
        return truth
    }

    /// Fits a parabola by least squares, about the mean for numerical stability.
    private static func parabola(_ points: [[Double]]) -> [Double]? {
        let count = Double(points.count)
        let mean = points.reduce(0) { $0 + $1[0] } / count
        var sums = [Double](repeating: 0, count: 5)
        var right = [Double](repeating: 0, count: 3)
        for point in points {
            let u = point[0] - mean
            let powers = [1, u, u * u, u * u * u, u * u * u * u]
            for index in 0..<5 { sums[index] += powers[index] }
            for index in 0..<3 { right[index] += powers[index] * point[1] }
        }
        // Cramer's rule for the three normal equations.
        func determinant(_ a: [Double], _ b: [Double], _ c: [Double]) -> Double {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1])
        }
        let columns = [[sums[0], sums[1], sums[2]], [sums[1], sums[2], sums[3]], [sums[2], sums[3], sums[4]]]
        let divisor = determinant(columns[0], columns[1], columns[2])
        guard abs(divisor) > 1e-15 else { return nil }
        let c = determinant(right, columns[1], columns[2]) / divisor
        let b = determinant(columns[0], right, columns[2]) / divisor
        let a = determinant(columns[0], columns[1], right) / divisor
        return [a, b - 2 * a * mean, c - b * mean + a * mean * mean]
    }
}
