/// An exercise: one repetition leads from the start posture to the far end of the movement and back.
package enum Movement: String, CaseIterable, Codable, Sendable {
    /// Arms overhead and legs apart in one hop, and back.
    case jumpingJack
    /// Down until the thighs lie about level, arms ahead, and up.
    case squat
    /// From stretched arms down to the chest near the floor, and up.
    case pushUp
    /// Both forearms up to the shoulders, and down.
    case bicepsCurl
    /// Both stretched arms ahead to shoulder height, and down.
    case frontRaise
    /// Both stretched arms sideways to shoulder height, and down.
    case lateralRaise

    /// The usual seconds a repetition.
    var tempo: ClosedRange<Double> {
        switch self {
        case .jumpingJack: 0.9...1.4
        case .squat: 1.8...3.2
        case .pushUp: 1.3...2.4
        case .bicepsCurl, .frontRaise, .lateralRaise: 1.4...2.6
        }
    }

    /// Whether the body lies face down.
    var isProne: Bool { self == .pushUp }

    /// Whether the person holds dumbbells.
    var hasDumbbells: Bool {
        switch self {
        case .bicepsCurl, .frontRaise, .lateralRaise: true
        case .jumpingJack, .squat, .pushUp: false
        }
    }

    /// The views in which the movement shows.
    var views: [SynthCamera.View] {
        switch self {
        case .pushUp: [.side, .sideLeft]
        case .squat: SynthCamera.View.allCases
        case .bicepsCurl, .frontRaise: [.front, .side, .sideLeft, .threeQuarter, .high, .low]
        case .jumpingJack, .lateralRaise: [.front, .threeQuarter, .high, .low]
        }
    }

    /// How the body is held: depth 0 is the start posture, 1 the far end.
    func posture(depth: Double, body: Body) -> Posture {
        switch self {
        case .jumpingJack: jumpingJack(depth, body)
        case .squat: squat(depth, body)
        case .pushUp: PushUp(body: body).posture(depth: depth)
        case .bicepsCurl: curl(depth, body)
        case .frontRaise: raise(depth, body, plane: degrees(84))
        case .lateralRaise: raise(depth, body, plane: degrees(8))
        }
    }

    private func jumpingJack(_ depth: Double, _ body: Body) -> Posture {
        let stance = mix(0.05, 0.2, depth) * body.height
        var posture = Posture.standing(body, halfStance: stance)
        let air = 4 * depth * (1 - depth)
        let hop = 0.04 * body.height * air
        posture.pelvis.y += hop
        posture.bothSides { side in
            side.ankle.y += hop
            side.toesDown = degrees(22) * air
            side.raise = mix(degrees(8), degrees(163), depth)
            side.plane = degrees(4)
            side.elbow = degrees(14 + 10 * air)
            side.bend = Vector(0, 1, 0.3)
            side.kneePole = Vector(0.35, 0, 1)
        }
        return posture
    }

    private func squat(_ depth: Double, _ body: Body) -> Posture {
        let h = body.height
        var posture = Posture.standing(body, halfStance: 0.095 * h)
        let top = posture.pelvis.y
        // Thighs level: the hip as high as the knee over a shank leaning 25 degrees.
        let bottom = body.ankleHeight + body.shank * cosine(degrees(25)) + 0.01 * h
        posture.pelvis = Vector(0, mix(top, bottom, depth), -0.13 * h * depth)
        posture.lean = degrees(38) * depth
        posture.spine = degrees(6) * depth
        posture.nod = degrees(-28) * depth
        posture.bothSides { side in
            side.toesOut = degrees(18)
            side.kneePole = Vector(0.35, 0, 1)
            side.raise = mix(degrees(7), degrees(124), depth)
            side.plane = mix(degrees(20), degrees(85), min(depth * 2, 1))
            side.elbow = degrees(12)
        }
        return posture
    }

    private func curl(_ depth: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body, halfStance: 0.075 * body.height)
        posture.bothSides { side in
            side.raise = degrees(9 + 10 * depth)
            side.plane = degrees(40 + 25 * depth)
            side.elbow = mix(degrees(10), degrees(138), depth)
            side.bend = Vector(0.1, 0, 1)
        }
        return posture
    }

    private func raise(_ depth: Double, _ body: Body, plane: Double) -> Posture {
        var posture = Posture.standing(body, halfStance: 0.075 * body.height)
        posture.lean = degrees(-2) * depth
        posture.bothSides { side in
            side.raise = mix(degrees(9), degrees(92), depth)
            side.plane = plane
            side.elbow = degrees(10)
            side.bend = Vector(0, 0.3, 1)
        }
        return posture
    }
}

/// The push-up: the body a plank that turns about the toes, the hands on fixed places on the floor.
struct PushUp {
    let body: Body

    private var ankleHeight: Double { 0.105 * body.height }
    private var line: Double { body.thigh + body.shank + body.trunk }
    private var gripHeight: Double { 0.03 * body.height }
    private var topHeight: Double { 0.985 * (body.upperArm + body.forearm) + gripHeight }

    /// How the body is held: depth 0 on stretched arms, 1 with the chest near the floor.
    func posture(depth: Double) -> Posture {
        let h = body.height
        let shoulder = mix(topHeight, 0.125 * h, depth)
        // The toes stay; the body turns about the ankles. The figure is centred over the origin.
        let ankleZ = -0.4 * h
        let rise = min((shoulder - ankleHeight) / line, 0.9)
        let run = (1 - rise * rise).squareRoot()
        let legs = 0.9985 * (body.thigh + body.shank)
        let incline = arcTangent(rise, run)
        var posture = Posture.standing(body)
        posture.pelvis = Vector(0, ankleHeight + rise * legs, ankleZ + run * legs)
        posture.lean = degrees(90) - incline
        posture.nod = degrees(-24)
        let topRise = (topHeight - ankleHeight) / line
        let grip = Vector(
            body.shoulderHalfWidth * 1.25, gripHeight, ankleZ + line * (1 - topRise * topRise).squareRoot())
        posture.bothSides { side in
            side.ankle = Vector(0.055 * h, ankleHeight, ankleZ)
            side.toesDown = degrees(72)
            side.toesOut = 0
            side.kneePole = Vector(0, -1, 0.4)
            side.raise = degrees(80)
            side.plane = degrees(90)
            side.elbow = degrees(10)
            side.reach = 1
            side.grip = grip
            side.elbowPole = Vector(0.7, 0.35, -1)
            side.palm = 1
        }
        return posture
    }
}
