package import KinemaCore
package import KinemaDraw

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

package struct Body: Sendable {
    /// The standing height, in metres.
    package var height = 1.75
    /// The thickness of all parts, 1 for an average build.
    package var girth = 1.0
    /// The length of legs and arms and the width of the shoulders, 1 for the average.
    package var legs = 1.0, arms = 1.0, shoulders = 1.0
    package var appearance = Appearance.trainer

    package static func random(using random: inout RandomSource) -> Body {
        Body(
            height: random.number(in: 1.55...1.95), girth: random.number(in: 0.88...1.2),
            legs: random.number(in: 0.95...1.05), arms: random.number(in: 0.95...1.05),
            shoulders: random.number(in: 0.92...1.1), appearance: .random(using: &random))
    }
}

/// Lengths in metres, as shares of the standing height by Drillis and Contini (1966), from Winter, "Biomechanics and
/// Motor Control of Human Movement", figure 4.1.
extension Body {
    var upperArm: Double { 0.186 * height * arms }
    var forearm: Double { 0.146 * height * arms }
    var thigh: Double { 0.245 * height * legs }
    var shank: Double { 0.246 * height * legs }
    var ankleHeight: Double { 0.039 * height }
    var trunk: Double { 0.288 * height }
    /// Between the joint centres, which lie well inside the outline (0.259 and 0.191 of the height across).
    var shoulderHalfWidth: Double { 0.106 * height * shoulders }
    var hipHalfWidth: Double { 0.058 * height }
    /// The height of the hip joint above the ground when standing upright.
    var hipHeight: Double { ankleHeight + thigh + shank }
}

/// The position and heading of a body in the world.
package struct Placement: Sendable {
    /// The point on the floor below it, in metres.
    package var position = Vector.zero
    /// The heading in radians: 0 faces the front (+z), positive values turn to the person's left.
    package var heading = 0.0
}

/// The colours of a person's skin, hair and clothes, and their cut.
package struct Appearance: Sendable {
    package var skin, hair, shirt, trousers, shoes: Color
    package var hasShorts, hasLongSleeves, hasLongHair: Bool

    /// The person in the built-in demonstration.
    package static let trainer = Appearance(
        skin: Color(hex: 0xD9A27E), hair: Color(hex: 0x3A2A20), shirt: Color(hex: 0x2F7FB5),
        trousers: Color(hex: 0x2B2F3A), shoes: Color(hex: 0xC9482F), hasShorts: true, hasLongSleeves: false,
        hasLongHair: false)

    private static let skins: [UInt32] = [0xF0C8A8, 0xE3B08C, 0xD9A27E, 0xB67B55, 0x8D5A3C, 0x6B4230]
    private static let hairs: [UInt32] = [0x1E1713, 0x3A2A20, 0x6B4A2C, 0xB08850, 0x7A3320, 0x8C8C8C]
    private static let shirts: [UInt32] = [
        0x2F7FB5, 0xC23B3B, 0xE8E8E8, 0x2E8B57, 0xE0A030, 0x6A4C93, 0x30343C, 0xE57EA0, 0x40B0A8,
    ]
    private static let trouserColors: [UInt32] = [0x2B2F3A, 0x3B4F78, 0x6B6F76, 0x4A3B2A, 0x1F4038, 0x8A2C3A, 0xB8AE98]
    private static let shoeColors: [UInt32] = [0xE8E4DC, 0x222222, 0xC23B3B, 0x3B6FC2, 0xE0C030]

    /// Makes a random appearance; the shirt and the trousers always differ.
    package static func random(using random: inout RandomSource) -> Appearance {
        func color(_ choices: [UInt32]) -> Color { Color(hex: random.pick(choices)) }
        return Appearance(
            skin: color(skins), hair: color(hairs), shirt: color(shirts), trousers: color(trouserColors),
            shoes: color(shoeColors), hasShorts: random.chance(0.5), hasLongSleeves: random.chance(0.3),
            hasLongHair: random.chance(0.4))
    }
}
