package import KinemaDraw

/// A person's build: how long and how thick every part is, and what it wears.
package struct Body: Sendable {
    /// Standing height in metres.
    package var height: Double
    /// Thickness of all parts, 1 for an average build.
    package var girth: Double
    /// Length of the legs as a share of the average.
    package var legs: Double
    /// Length of the arms as a share of the average.
    package var arms: Double
    /// Width of the shoulders as a share of the average.
    package var shoulders: Double
    /// Colours and cut of what is worn.
    package var look: Look

    /// Makes a build; 1 means average.
    package init(
        height: Double = 1.75, girth: Double = 1, legs: Double = 1, arms: Double = 1, shoulders: Double = 1,
        look: Look = .trainer
    ) {
        self.height = height
        self.girth = girth
        self.legs = legs
        self.arms = arms
        self.shoulders = shoulders
        self.look = look
    }

    /// A build drawn at random among ordinary adults.
    package static func random(using random: inout RandomSource) -> Body {
        Body(
            height: random.number(in: 1.55...1.95), girth: random.number(in: 0.88...1.2),
            legs: random.number(in: 0.95...1.05), arms: random.number(in: 0.95...1.05),
            shoulders: random.number(in: 0.92...1.1), look: .random(using: &random))
    }
}

/// Lengths in metres; the shares of the standing height are those of Drillis and Contini (1966), as in Winter,
/// "Biomechanics and Motor Control of Human Movement", figure 4.1.
extension Body {
    var upperArm: Double { 0.186 * height * arms }
    var forearm: Double { 0.146 * height * arms }
    var thigh: Double { 0.245 * height * legs }
    var shank: Double { 0.246 * height * legs }
    var ankleHeight: Double { 0.039 * height }
    var trunk: Double { 0.288 * height }
    /// Between the joints' centres, which lie well inside the outline (0.259 and 0.191 of the height across).
    var shoulderHalfWidth: Double { 0.106 * height * shoulders }
    var hipHalfWidth: Double { 0.058 * height }
    /// Hip joint above the ground in upright stance.
    var hipHeight: Double { ankleHeight + thigh + shank }
}

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

/// Colours and cut of a person's skin, hair and clothes.
package struct Look: Sendable {
    /// Skin.
    package var skin: Color
    /// Hair.
    package var hair: Color
    /// Shirt.
    package var shirt: Color
    /// Trousers or shorts.
    package var trousers: Color
    /// Shoes.
    package var shoes: Color
    /// Whether the trousers end above the knee.
    package var hasShorts: Bool
    /// Whether the sleeves reach the wrist.
    package var hasLongSleeves: Bool
    /// Whether the hair reaches the shoulders.
    package var hasLongHair: Bool

    /// The built-in demonstration's person.
    package static let trainer = Look(
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

    /// A look drawn at random; shirt and trousers always differ.
    package static func random(using random: inout RandomSource) -> Look {
        func color(_ choices: [UInt32]) -> Color {
            Color(hex: random.pick(choices, else: 0x808080))
        }
        return Look(
            skin: color(skins), hair: color(hairs), shirt: color(shirts), trousers: color(trouserColors),
            shoes: color(shoeColors), hasShorts: random.chance(0.5), hasLongSleeves: random.chance(0.3),
            hasLongHair: random.chance(0.4))
    }
}
