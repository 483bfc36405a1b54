internal import KinemaDraw

/// A ball in free flight without drag.
package struct BallisticFlight: Sendable {
    /// Standard gravity, m/s² (3rd CGPM, 1901).
    package static let gravity = 9.80665

    /// When it is let go, seconds.
    package var start: Double
    /// When it is caught or lands, seconds.
    package var end: Double
    /// Where it is let go, metres.
    package var origin: Vector
    /// How fast it is then, metres a second.
    package var velocity: Vector

    /// Makes a flight from a place (metres) with a velocity (metres a second) between two times (seconds).
    package init(start: Double, end: Double, origin: Vector, velocity: Vector) {
        self.start = start
        self.end = end
        self.origin = origin
        self.velocity = velocity
    }

    /// The flight from one place to another that begins at an angle above the horizontal (radians).
    ///
    /// Nil when no throw at that angle gets there.
    package init?(start: Double, from origin: Vector, to target: Vector, angle: Double) {
        let way = Vector(target.x - origin.x, 0, target.z - origin.z)
        let distance = way.length
        let rise = distance * tangent(angle) - (target.y - origin.y)
        guard rise > 0, distance > 0 else { return nil }
        let level = (BallisticFlight.gravity * distance * distance / (2 * rise)).squareRoot()
        self.init(
            start: start, end: start + distance / level, origin: origin,
            velocity: way.unit * level + Vector.up * (level * tangent(angle)))
    }

    /// The middle of the ball at a time, metres; nil before and after the flight.
    package func position(at time: Double) -> Vector? {
        guard time >= start, time <= end else { return nil }
        let t = time - start
        return origin + velocity * t - Vector.up * (BallisticFlight.gravity * t * t / 2)
    }

    /// The velocity at a time, metres a second.
    package func velocity(at time: Double) -> Vector {
        velocity - Vector.up * (BallisticFlight.gravity * (time - start))
    }
}

/// A ball that lies, flies, bounces perhaps, and lies again.
struct ThrownBall: Sendable {
    /// In order of time; a bounce begins the next.
    var flights: [BallisticFlight]
    /// Metres.
    var radius: Double
    var color: Color
    /// How long it is seen before the first flight and after the last, seconds.
    var restBefore: Double
    var restAfter: Double

    /// The ball at a time; nil while it is not there.
    func solid(at time: Double) -> Solid? {
        guard let first = flights.first, let last = flights.last, time >= first.start - restBefore,
            time <= last.end + restAfter
        else { return nil }
        let flying = flights.last { $0.start <= time }
        let place = flying.flatMap { $0.position(at: min(time, $0.end)) } ?? first.origin
        return Solid(place, place, radius, radius, color, gloss: 0.1)
    }
}
