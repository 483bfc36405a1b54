package enum ThrowStyle: String, CaseIterable, Codable, Sendable {
    /// The hand above the shoulder.
    case overhand
    /// The arm swung from below.
    case underhand
    /// The arm swung from below, under a lifted leg.
    case underleg

    /// The launch angles above the horizontal for a distance of about 25 feet, in degrees.
    var launchAngles: ClosedRange<Double> {
        switch self {
        case .overhand: 14...34
        case .underhand: 32...50
        case .underleg: 36...52
        }
    }
}

/// One swing of the arm: a throw, or a practice swing without release.
struct ThrowMotion: Sendable {
    var style: ThrowStyle
    var isLeftHanded = false
    /// The duration relative to a throw at the usual pace.
    var pace = 1.0
    /// The size as a share of the full swing.
    var size = 1.0
    /// The time of aiming with the arm back, in seconds.
    var aim = 0.0

    // The phases in seconds: arm back, forward to the release, follow-through, and back to standing.
    private var back: Double { 0.55 * pace + aim }
    private var forward: Double { 0.27 * pace }
    private var through: Double { 0.3 * pace }
    private var home: Double { 0.55 * pace }

    /// The time from the start to the release, in seconds.
    var release: Double { back + forward }
    /// The time from standing to standing, in seconds.
    var duration: Double { back + forward + through + home }

    func posture(time: Double, body: Body) -> Posture {
        let rest = Posture.standing(body, halfStance: 0.075 * body.height)
        let keys = keys(body, rest)
        var posture: Posture
        if time < back {
            posture = mix(rest, keys.back, smoothstep(time / (0.55 * pace)))
        } else if time < release {
            // The arm is fastest at the release and does not stop there.
            let share = (time - back) / forward
            posture = mix(keys.back, keys.release, share * share)
        } else if time < release + through {
            let rest = 1 - (time - release) / through
            posture = mix(keys.release, keys.through, 1 - rest * rest)
        } else {
            posture = mix(keys.through, rest, smoothstep((time - release - through) / home))
        }
        if isLeftHanded { posture.mirror() }
        return posture
    }

    private func keys(_ body: Body, _ rest: Posture) -> (back: Posture, release: Posture, through: Posture) {
        switch style {
        case .overhand: overhand(body, rest)
        case .underhand: underhand(body, rest)
        case .underleg: underleg(body, rest)
        }
    }

    private func underhand(_ body: Body, _ rest: Posture) -> (Posture, Posture, Posture) {
        let h = body.height
        func key(_ raise: Double, elbow: Double, lean: Double, step: Double) -> Posture {
            var posture = rest
            // A negative raise lifts the arm backward in the same plane.
            posture.right.raise = degrees(raise * (raise < 0 ? size : 1))
            posture.right.plane = degrees(86)
            posture.right.elbow = degrees(elbow)
            posture.left.raise = degrees(14)
            posture.lean = degrees(lean)
            posture.nod = degrees(-lean * 0.7)
            posture.left.ankle.z += 0.16 * h * step
            posture.right.ankle.z -= 0.08 * h * step
            posture.pelvis.y -= 0.035 * h * step
            return posture
        }
        return (
            key(-48, elbow: 14, lean: 12, step: 0.7 * size), key(mix(12, 46, size), elbow: 10, lean: 15, step: size),
            key(mix(30, 104, size), elbow: 18, lean: 6, step: size)
        )
    }

    private func overhand(_ body: Body, _ rest: Posture) -> (Posture, Posture, Posture) {
        let h = body.height
        func key(raise: Double, plane: Double, elbow: Double, lean: Double, twist: Double, step: Double) -> Posture {
            var posture = rest
            posture.right.raise = degrees(raise)
            posture.right.plane = degrees(plane)
            posture.right.elbow = degrees(elbow)
            posture.right.bend = Vector(0, 1, -0.3)
            posture.left.raise = degrees(30)
            posture.left.plane = degrees(70)
            posture.left.elbow = degrees(40)
            posture.lean = degrees(lean)
            posture.twist = degrees(twist)
            posture.left.ankle.z += 0.17 * h * step
            posture.right.ankle.z -= 0.1 * h * step
            posture.pelvis.y -= 0.04 * h * step
            return posture
        }
        return (
            key(raise: 98, plane: 5, elbow: 112, lean: -6, twist: -24, step: 0.6),
            key(raise: 126, plane: 72, elbow: 32, lean: 9, twist: 8, step: 1),
            key(raise: 66, plane: 88, elbow: 16, lean: 20, twist: 22, step: 1)
        )
    }

    /// The left thigh is lifted, and the right hand passes under it.
    private func underleg(_ body: Body, _ rest: Posture) -> (Posture, Posture, Posture) {
        let h = body.height
        func key(_ grip: Vector, lean: Double, lift: Double) -> Posture {
            var posture = rest
            posture.pelvis += Vector(-0.05, -0.02, -0.03) * h * lift
            posture.lean = degrees(lean)
            posture.spine = degrees(lean * 0.4)
            posture.nod = degrees(-lean)
            posture.left.ankle = mix(rest.left.ankle, Vector(0.05, 0.31, 0.27) * h, lift)
            posture.left.kneePole = Vector(0.1, 0.5, 1)
            posture.left.toesDown = degrees(18 * lift)
            posture.left.raise = degrees(30 * lift)
            posture.left.plane = degrees(40)
            posture.right.reach = 1
            posture.right.grip = grip * h
            posture.right.elbowPole = Vector(0.3, 0.1, -1)
            return posture
        }
        return (
            key(Vector(0.16, 0.47, -0.2), lean: 32, lift: 0.9), key(Vector(-0.02, 0.385, 0.3), lean: 42, lift: 1),
            key(Vector(-0.03, 0.55, 0.47), lean: 34, lift: 0.95)
        )
    }
}
