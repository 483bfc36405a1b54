/// The landing of a bag: in the hole, on the board or on the ground.
package enum BagLanding: String, CaseIterable, Codable, Sendable {
    case hole, board, off
}

/// A thrown bag: in the hand, on a ballistic path and at rest.
struct BagFlight: Sendable {
    /// Half a bag's thickness at rest, in metres.
    static let halfThickness = 0.03

    var style: ThrowStyle
    /// The release, in seconds.
    var release: Double
    /// The time of hitting the board, the hole or the ground, in seconds.
    var arrival: Double
    var start: Vector
    /// The release velocity, in metres per second.
    var velocity: Vector
    var landing: BagLanding
    /// The displacement by sliding after the landing, in metres.
    var slide: Vector

    /// Makes a throw from a point to a target with a launch angle above the horizontal (radians).
    init(
        style: ThrowStyle, release: Double, from start: Vector, to target: Vector, angle: Double, landing: BagLanding,
        slide: Vector
    ) {
        let displacement = Vector(target.x - start.x, 0, target.z - start.z)
        let distance = displacement.length
        let rise = distance * tangent(angle) - (target.y - start.y)
        let level = (BallisticFlight.gravity * distance * distance / (2 * max(rise, 0.05))).squareRoot()
        (self.style, self.release, self.start, self.landing, self.slide) = (style, release, start, landing, slide)
        velocity = displacement.unit * level + Vector.up * (level * tangent(angle))
        arrival = release + distance / level
    }

    var speed: Double { velocity.length }

    /// The distance along the ground from the release to the arrival, in metres.
    var distance: Double { velocity.level.length * (arrival - release) }

    /// The launch angle above the horizontal, in degrees.
    var angle: Double {
        arcTangent(velocity.y, (velocity.x * velocity.x + velocity.z * velocity.z).squareRoot()) * 180 / Double.pi
    }

    /// The bag's centre after the release; nil once it has vanished in the hole.
    func position(at time: Double) -> Vector? {
        let elapsed = min(time, arrival) - release
        let flown = start + velocity * elapsed - Vector.up * (BallisticFlight.gravity * elapsed * elapsed / 2)
        let since = time - arrival
        guard since > 0 else { return flown }
        guard landing != .hole else {
            // It keeps falling behind the board's face for a moment.
            return since < 0.05 ? flown + velocity * Vector(0.2, 0, 0.2) * since - Vector.up * (2 * since) : nil
        }
        let share = min(since / 0.35, 1)
        return flown + slide * (1 - (1 - share) * (1 - share))
    }

    func turn(at time: Double) -> Double { 5 * (min(time, arrival) - release) }
}
