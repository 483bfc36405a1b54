/// How a body is held, in its own frame: x to its left, y up, z ahead, the origin on the floor under it.
///
/// Metres and radians. Any number can be mixed with another posture's, which is how one movement passes into another.
struct Posture: Sendable {
    /// The middle of the hips.
    var pelvis: Vector
    /// The pelvis leaning forward; with `spine` 0 the whole trunk leans.
    var lean = 0.0
    /// The pelvis leaning to its right.
    var sideLean = 0.0
    /// The trunk turned to its left about its own axis.
    var twist = 0.0
    /// The upper trunk bending forward against the pelvis.
    var spine = 0.0
    /// The head nodding forward and turning left, against the chest.
    var nod = 0.0
    var headTurn = 0.0
    var left: Side
    var right: Side

    /// One side's arm and leg.
    struct Side: Sendable {
        /// The upper arm lifted from hanging down, and the plane it is lifted in: 0 sideways, pi/2 forward.
        var raise = degrees(6)
        var plane = 0.0
        /// The elbow, 0 stretched, and where the forearm bends to, in the chest's frame with x outward.
        var elbow = degrees(12)
        var bend = Vector(0, 0, 1)
        /// How far the wrist goes to `grip` instead, 0...1, with the elbow pointing to `elbowPole`, x outward.
        var reach = 0.0
        var grip = Vector.zero
        var elbowPole = Vector(0.4, 0, -1)
        /// How far the hand lies flat on the floor pointing ahead, 0...1.
        var palm = 0.0
        /// The ankle's place, x outward.
        var ankle: Vector
        /// The foot pointing down, and turned outward.
        var toesDown = 0.0
        var toesOut = degrees(10)
        /// Where the knee points, x outward.
        var kneePole = Vector(0.15, 0, 1)
    }

    /// Standing upright with hanging arms and the feet apart by twice the given width.
    static func standing(_ body: Body, halfStance: Double? = nil) -> Posture {
        let ankle = Vector(halfStance ?? 0.062 * body.height, body.ankleHeight, 0)
        let offset = ankle.x - body.hipHalfWidth
        // A hair less than stretched, as people stand.
        let leg = 0.998 * (body.thigh + body.shank)
        let height = body.ankleHeight + (leg * leg - offset * offset).squareRoot()
        return Posture(pelvis: Vector(0, height, 0), left: Side(ankle: ankle), right: Side(ankle: ankle))
    }

    /// The same change on both sides.
    mutating func bothSides(_ change: (inout Side) -> Void) {
        change(&left)
        change(&right)
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
        // A hand that did not reach has no place of its own to come from.
        grip: from.reach == 0 ? to.grip : to.reach == 0 ? from.grip : mix(from.grip, to.grip, share),
        elbowPole: mix(from.elbowPole, to.elbowPole, share), palm: mix(from.palm, to.palm, share),
        ankle: mix(from.ankle, to.ankle, share), toesDown: mix(from.toesDown, to.toesDown, share),
        toesOut: mix(from.toesOut, to.toesOut, share), kneePole: mix(from.kneePole, to.kneePole, share))
}
