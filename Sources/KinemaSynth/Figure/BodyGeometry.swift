internal import KinemaCore
internal import KinemaDraw

struct BodyGeometry {
    let body: Body
    let armature: Armature
    let owner: Int
    private let h: Double
    /// The unit of thickness: the height times the build's girth.
    private let t: Double
    private(set) var solids: [Solid] = []

    init(body: Body, armature: Armature, owner: Int, hasDumbbells: Bool = false) {
        (self.body, self.armature, self.owner) = (body, armature, owner)
        h = body.height
        t = body.height * body.girth
        addTrunk()
        for isLeft in [true, false] {
            addArm(isLeft, hasDumbbell: hasDumbbells)
            addLeg(isLeft)
        }
        addHead()
    }

    private mutating func add(
        _ from: Vector, _ to: Vector, _ fromRadius: Double, _ toRadius: Double, _ color: Color, gloss: Double = 0.06
    ) {
        solids.append(Solid(from, to, fromRadius, toRadius, color, gloss: gloss, owner: owner))
    }

    private mutating func addTrunk() {
        let (root, neck) = (armature.root, armature[.neck])
        let (pelvis, chest) = (armature.pelvis, armature.chest)
        let waist = root + pelvis.y * (0.4 * body.trunk)
        let (shirt, trousers) = (body.appearance.shirt, body.appearance.trousers)
        // Three columns side by side make the trunk wider than it is deep.
        for sign in [-1.0, 0, 1] {
            let slim = sign == 0 ? 1.0 : 0.96
            let base = root + pelvis * Vector(sign * 0.046 * h, 0.024 * h, 0)
            let flank = waist + pelvis.x * (sign * 0.03 * h)
            let breast = neck + chest * Vector(sign * 0.047 * h, -0.08 * h, 0.004 * h)
            let collar = neck + chest * Vector(sign * 0.045 * h, -0.03 * h, -0.006 * h)
            add(base, flank, 0.06 * t * slim, 0.055 * t * slim, shirt)
            add(flank, breast, 0.055 * t * slim, 0.062 * t * slim, shirt)
            add(breast, collar, 0.062 * t * slim, 0.042 * t, shirt)
        }
        for isLeft in [true, false] {
            let sign = isLeft ? 1.0 : -1.0
            let shoulder = armature[isLeft ? .leftShoulder : .rightShoulder]
            let hip = armature[isLeft ? .leftHip : .rightHip]
            // The slope from the neck to the shoulder.
            add(
                neck + chest * Vector(sign * 0.018 * h, 0.018 * h, -0.01 * h), mix(shoulder, neck, 0.12), 0.023 * t,
                0.031 * t, shirt)
            add(
                hip + pelvis.y * (0.008 * h), hip + pelvis * Vector(-sign * 0.05 * h, -0.002 * h, -0.012 * h),
                0.057 * t, 0.06 * t, trousers)
        }
    }

    private mutating func addArm(_ isLeft: Bool, hasDumbbell: Bool) {
        let shoulder = armature[isLeft ? .leftShoulder : .rightShoulder]
        let elbow = armature[isLeft ? .leftElbow : .rightElbow]
        let wrist = armature[isLeft ? .leftWrist : .rightWrist]
        let skin = body.appearance.skin
        let cover = body.appearance.hasLongSleeves ? 1.0 : 0.5
        add(shoulder, elbow, 0.031 * t, 0.0245 * t, skin, gloss: 0.12)
        // The muscle below the elbow.
        let muscle = mix(elbow, wrist, 0.28)
        add(elbow, muscle, 0.0245 * t, 0.0255 * t, skin, gloss: 0.12)
        add(muscle, wrist, 0.0255 * t, 0.0165 * t, skin, gloss: 0.12)
        add(shoulder, mix(shoulder, elbow, cover), 0.0355 * t, mix(0.0365, 0.031, cover) * t, body.appearance.shirt)
        if body.appearance.hasLongSleeves {
            add(elbow, mix(elbow, wrist, 0.92), 0.031 * t, 0.022 * t, body.appearance.shirt)
        }
        addHand(isLeft, wrist: wrist, holdsDumbbell: hasDumbbell)
    }

    private mutating func addHand(_ isLeft: Bool, wrist: Vector, holdsDumbbell: Bool) {
        let skin = body.appearance.skin
        let hand = isLeft ? armature.leftHand : armature.rightHand
        let index = armature[isLeft ? .leftIndexFinger : .rightIndexFinger]
        let little = armature[isLeft ? .leftLittleFinger : .rightLittleFinger]
        let thumb = armature[isLeft ? .leftThumb : .rightThumb]
        let across = (index - little).unit
        add(wrist, mix(index, wrist, 0.15), 0.0155 * t, 0.0145 * t, skin, gloss: 0.1)
        add(wrist, mix(little, wrist, 0.15), 0.0155 * t, 0.013 * t, skin, gloss: 0.1)
        if holdsDumbbell {
            let grip = mix(index, little, 0.5)
            add(wrist, thumb, 0.013 * t, 0.01 * t, skin)
            let metal = Color(hex: 0x3A3D42)
            add(grip - across * (0.05 * h), grip + across * (0.05 * h), 0.009 * h, 0.009 * h, metal, gloss: 0.4)
            for end in [-1.0, 1] {
                let plate = grip + across * (end * 0.052 * h)
                add(plate, plate + across * (end * 0.014 * h), 0.026 * h, 0.026 * h, metal, gloss: 0.4)
            }
            return
        }
        // Fingers, slightly spread.
        for step in 0...3 {
            let knuckle = mix(index, little, Double(step) / 3)
            let length = (step == 1 || step == 2 ? 0.043 : 0.037) * h
            let spread = across * ((1.5 - Double(step)) * 0.003 * h)
            add(knuckle, knuckle + hand * length + spread, 0.0095 * t, 0.006 * t, skin)
        }
        add(wrist + hand * (0.012 * h), thumb, 0.0125 * t, 0.0095 * t, skin)
        add(thumb, thumb + hand * (0.02 * h) + across * (0.006 * h), 0.0095 * t, 0.007 * t, skin)
    }

    private mutating func addLeg(_ isLeft: Bool) {
        let hip = armature[isLeft ? .leftHip : .rightHip]
        let knee = armature[isLeft ? .leftKnee : .rightKnee]
        let ankle = armature[isLeft ? .leftAnkle : .rightAnkle]
        let foot = isLeft ? armature.leftFoot : armature.rightFoot
        let (skin, cloth) = (body.appearance.skin, body.appearance.trousers)
        let calf = mix(knee, ankle, 0.3) - foot.z * (0.006 * h)
        add(hip, knee, 0.053 * t, 0.033 * t, skin, gloss: 0.1)
        add(knee, calf, 0.033 * t, 0.034 * t, skin, gloss: 0.1)
        add(calf, ankle, 0.034 * t, 0.0205 * t, skin, gloss: 0.1)
        if body.appearance.hasShorts {
            add(hip, mix(hip, knee, 0.62), 0.058 * t, 0.05 * t, cloth)
            add(mix(knee, ankle, 0.87), ankle, 0.0245 * t, 0.0235 * t, Color(hex: 0xD8D8DC))
        } else {
            add(hip, knee, 0.058 * t, 0.041 * t, cloth)
            add(knee, calf, 0.041 * t, 0.039 * t, cloth)
            add(calf, mix(knee, ankle, 0.97), 0.039 * t, 0.031 * t, cloth)
        }
        addShoe(ankle: ankle, foot: foot)
    }

    private mutating func addShoe(ankle: Vector, foot: Rotation) {
        let shoe = body.appearance.shoes
        let heel = ankle + foot * Vector(0, -0.018 * h, -0.02 * h)
        let ball = ankle + foot * Vector(0, -0.02 * h, 0.068 * h)
        let tip = ankle + foot * Vector(0, -0.023 * h, 0.1 * h)
        add(ankle, heel, 0.0245 * t, 0.021 * h, shoe, gloss: 0.15)
        add(ankle + foot * Vector(0, 0.002 * h, 0.008 * h), ball, 0.025 * h, 0.0195 * h, shoe, gloss: 0.15)
        // The front is wider than the heel.
        for side in [-1.0, 1] {
            let out = foot.x * (side * 0.007 * h)
            add(heel, ball + out, 0.019 * h, 0.019 * h, shoe, gloss: 0.15)
            add(ball + out, tip + out * 0.6, 0.019 * h, 0.0145 * h, shoe, gloss: 0.15)
        }
        // Dark shoes get light soles, and light shoes dark ones.
        let isLight = shoe.red + shoe.green + shoe.blue > 1.8
        let sole = Color(hex: isLight ? 0x6A6660 : 0xE6E2DA)
        let down = foot.y * (-0.011 * h)
        add(heel + down, ball + down, 0.018 * h, 0.0175 * h, sole)
        add(ball + down, tip + down - foot.z * (0.004 * h), 0.0175 * h, 0.0135 * h, sole)
    }

    private mutating func addHead() {
        let head = armature.head
        let center = armature.headCenter
        let skin = body.appearance.skin
        let height = h
        func at(_ x: Double, _ y: Double, _ z: Double) -> Vector { center + head * (Vector(x, y, z) * height) }
        let neckBase = armature[.neck] + armature.chest * Vector(0, -0.002 * h, -0.004 * h)
        add(neckBase, at(0, -0.03, -0.008), 0.033 * t, 0.03 * t, skin)
        // Skull, face and jaw.
        add(at(0, 0.016, -0.008), at(0, 0.008, 0.008), 0.0485 * h, 0.045 * h, skin, gloss: 0.1)
        add(at(0, 0.005, 0.008), at(0, -0.038, 0.018), 0.044 * h, 0.028 * h, skin, gloss: 0.1)
        addHair(at)
        addFace(at)
        let cheek = Color(red: skin.red * 0.93, green: skin.green * 0.86, blue: skin.blue * 0.84)
        for sign in [-1.0, 1] {
            add(at(sign * 0.045, 0.006, -0.004), at(sign * 0.043, -0.014, -0.001), 0.009 * h, 0.007 * h, cheek)
        }
    }

    private mutating func addHair(_ at: (Double, Double, Double) -> Vector) {
        let hair = body.appearance.hair
        add(at(0, 0.026, -0.018), at(0, 0.033, 0.012), 0.0505 * h, 0.041 * h, hair, gloss: 0.2)
        add(at(0, 0.02, -0.02), at(0, -0.018, -0.026), 0.05 * h, 0.034 * h, hair, gloss: 0.2)
        guard body.appearance.hasLongHair else { return }
        for sign in [-1.0, 1] {
            add(at(sign * 0.03, 0.015, -0.022), at(sign * 0.036, -0.06, -0.026), 0.026 * h, 0.016 * h, hair, gloss: 0.2)
        }
        add(at(0, -0.01, -0.03), at(0, -0.085, -0.036), 0.034 * h, 0.02 * h, hair, gloss: 0.2)
    }

    private mutating func addFace(_ at: (Double, Double, Double) -> Vector) {
        let skin = body.appearance.skin
        let white = Color(hex: 0xF4F0EC)
        let dark = Color(hex: 0x241A16)
        let lips = Color(red: skin.red * 0.78, green: skin.green * 0.5, blue: skin.blue * 0.48)
        let socket = Color(red: skin.red * 0.8, green: skin.green * 0.75, blue: skin.blue * 0.74)
        for sign in [-1.0, 1] {
            // The eye lies in a darker socket below a brow.
            add(at(sign * 0.0125, 0.0065, 0.0475), at(sign * 0.025, 0.0065, 0.0425), 0.0066 * h, 0.0058 * h, socket)
            add(at(sign * 0.0155, 0.0055, 0.0495), at(sign * 0.0225, 0.0055, 0.047), 0.0052 * h, 0.0045 * h, white)
            add(
                at(sign * 0.019, 0.0055, 0.0525), at(sign * 0.019, 0.0055, 0.053), 0.0036 * h, 0.0034 * h, dark,
                gloss: 0.5)
            add(
                at(sign * 0.011, 0.0165, 0.0492), at(sign * 0.028, 0.0165, 0.0425), 0.0028 * h, 0.0024 * h,
                body.appearance.hair)
            add(at(sign * 0.0085, -0.0325, 0.0445), at(0, -0.0318, 0.0475), 0.0028 * h, 0.0034 * h, lips)
        }
        add(at(0, 0.008, 0.048), at(0, -0.01, 0.056), 0.0055 * h, 0.0085 * h, skin, gloss: 0.2)
        add(at(-0.005, -0.0145, 0.052), at(0.005, -0.0145, 0.052), 0.0055 * h, 0.0055 * h, socket)
        add(at(0, -0.05, 0.036), at(0, -0.05, 0.036), 0.0125 * h, 0.0125 * h, skin)
    }
}
