/// Where a bag ended up.
package enum BagLanding: String, CaseIterable, Codable, Sendable {
    /// Through the hole.
    case hole
    /// On the board.
    case board
    /// On the ground.
    case off
}

/// A bag thrown: in the hand, on a ballistic path, and at rest.
struct BagFlight: Sendable {
    /// Standard gravity, m/s².
    static let gravity = 9.80665
    /// Half a bag's thickness at rest, metres.
    static let halfThickness = 0.03

    var style: ThrowStyle
    /// When the bag leaves the hand, seconds.
    var release: Double
    /// When it meets the board, the hole or the ground, seconds.
    var arrival: Double
    var start: Vector
    /// At the release, metres a second.
    var velocity: Vector
    var landing: BagLanding
    /// How far it slides after landing, metres.
    var slide: Vector

    /// A throw from a point to a target at an angle above the horizontal (radians).
    init(
        style: ThrowStyle, release: Double, from start: Vector, to target: Vector, angle: Double, landing: BagLanding,
        slide: Vector
    ) {
        let way = Vector(target.x - start.x, 0, target.z - start.z)
        let distance = way.length
        let rise = distance * tangent(angle) - (target.y - start.y)
        let level = (BagFlight.gravity * distance * distance / (2 * max(rise, 0.05))).squareRoot()
        self.style = style
        self.release = release
        self.start = start
        self.landing = landing
        self.slide = slide
        velocity = way.unit * level + Vector.up * (level * tangent(angle))
        arrival = release + distance / level
    }

    var speed: Double { velocity.length }

    /// Above the horizontal, degrees.
    var angle: Double {
        arcTangent(velocity.y, (velocity.x * velocity.x + velocity.z * velocity.z).squareRoot()) * 180 / Double.pi
    }

    /// The bag's middle after the release; nil once it has vanished in the hole.
    func place(at time: Double) -> Vector? {
        let elapsed = min(time, arrival) - release
        let flown = start + velocity * elapsed - Vector.up * (BagFlight.gravity * elapsed * elapsed / 2)
        let since = time - arrival
        guard since > 0 else { return flown }
        guard landing != .hole else {
            // It falls on behind the board's face for a moment.
            return since < 0.05 ? flown + velocity * Vector(0.2, 0, 0.2) * since - Vector.up * (2 * since) : nil
        }
        let share = min(since / 0.35, 1)
        return flown + slide * (1 - (1 - share) * (1 - share))
    }

    /// How far the bag has turned, radians.
    func turn(at time: Double) -> Double {
        5 * (min(time, arrival) - release)
    }
}
