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
