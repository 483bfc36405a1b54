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
            return since < 0.05 ? flown + path.velocity * Vector(0.2, 0, 0.2) * since - Vector.up * (2 * since) : nil
        }
        let share = min(since / 0.35, 1)
        return flown + slide * (1 - (1 - share) * (1 - share))
    }

    func turn(at time: Double) -> Double { 5 * (min(time, path.end) - path.start) }
}
