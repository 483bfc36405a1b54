/// The posture of a body in its own frame: x to its left, y up, z ahead, origin on the floor; metres and radians.
struct Posture: Sendable {
    var pelvis: Vector
    /// The forward lean of the pelvis; with `spine` 0 the whole trunk leans.
    var lean = 0.0
    /// The lean of the pelvis to its right.
    var sideLean = 0.0
    /// The rotation of the trunk to its left about its own axis.
    var twist = 0.0
    /// The forward bend of the upper trunk against the pelvis.
    var spine = 0.0
    /// The nod of the head forward and its turn to the left, against the chest.
    var nod = 0.0
    var headTurn = 0.0
    var left, right: Side

    struct Side: Sendable {
        /// The angle of the upper arm from hanging down, and the plane it lifts in: 0 sideways, pi/2 forward.
        var raise = degrees(6)
        var plane = 0.0
        /// The elbow's flexion, 0 when straight, and the direction the forearm bends in (chest's frame, x outward).
        var elbow = degrees(12)
        var bend = Vector(0, 0, 1)
        /// The share by which the wrist moves to `grip`, 0...1, with the elbow pointing to `elbowPole`, x outward.
        var reach = 0.0
        var grip = Vector.zero
        var elbowPole = Vector(0.4, 0, -1)
        /// The share by which the hand lies flat on the floor, pointing ahead, 0...1.
        var palm = 0.0
        /// The position of the ankle, x outward.
        var ankle: Vector
        /// The angles of the foot: down and outward.
        var toesDown = 0.0
        var toesOut = degrees(10)
        /// The direction of the knee, x outward.
        var kneePole = Vector(0.15, 0, 1)
    }

    /// Standing upright with arms hanging and the feet twice `halfStance` apart.
    static func standing(_ body: Body, halfStance: Double? = nil) -> Posture {
        let ankle = Vector(halfStance ?? 0.062 * body.height, body.ankleHeight, 0)
        let offset = ankle.x - body.hipHalfWidth
        // Slightly less than straight, as people stand.
        let leg = 0.998 * (body.thigh + body.shank)
        let height = body.ankleHeight + (leg * leg - offset * offset).squareRoot()
        return Posture(pelvis: Vector(0, height, 0), left: Side(ankle: ankle), right: Side(ankle: ankle))
    }

    mutating func bothSides(_ change: (inout Side) -> Void) {
        change(&left)
        change(&right)
    }

    /// Sets both arms; nil leaves an angle or a direction as it is.
    mutating func arms(raise: Double, plane: Double? = nil, elbow: Double? = nil, bend: Vector? = nil) {
        bothSides { side in
            side.raise = raise
            side.plane = plane ?? side.plane
            side.elbow = elbow ?? side.elbow
            side.bend = bend ?? side.bend
        }
    }

    /// Puts both hands to a place, x outward.
    mutating func hold(_ grip: Vector, elbowPole: Vector, palm: Double = 0) {
        bothSides { side in (side.reach, side.grip, side.elbowPole, side.palm) = (1, grip, elbowPole, palm) }
    }

    mutating func mirror() {
        (left, right) = (right, left)
        pelvis.x = -pelvis.x
        sideLean = -sideLean
        twist = -twist
        headTurn = -headTurn
    }
}

func mix(_ from: Posture, _ to: Posture, _ share: Double) -> Posture {
    Posture(
        pelvis: mix(from.pelvis, to.pelvis, share), lean: mix(from.lean, to.lean, share),
        sideLean: mix(from.sideLean, to.sideLean, share), twist: mix(from.twist, to.twist, share),
        spine: mix(from.spine, to.spine, share), nod: mix(from.nod, to.nod, share),
        headTurn: mix(from.headTurn, to.headTurn, share), left: mix(from.left, to.left, share),
        right: mix(from.right, to.right, share))
}

private func mix(_ from: Posture.Side, _ to: Posture.Side, _ share: Double) -> Posture.Side {
    Posture.Side(
        raise: mix(from.raise, to.raise, share), plane: mix(from.plane, to.plane, share),
        elbow: mix(from.elbow, to.elbow, share), bend: mix(from.bend, to.bend, share),
        reach: mix(from.reach, to.reach, share),
        // A hand that was not reaching has no grip to start from.
        grip: from.reach == 0 ? to.grip : to.reach == 0 ? from.grip : mix(from.grip, to.grip, share),
        elbowPole: mix(from.elbowPole, to.elbowPole, share), palm: mix(from.palm, to.palm, share),
        ankle: mix(from.ankle, to.ankle, share), toesDown: mix(from.toesDown, to.toesDown, share),
        toesOut: mix(from.toesOut, to.toesOut, share), kneePole: mix(from.kneePole, to.kneePole, share))
}
