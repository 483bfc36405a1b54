/// Movements that lie on the floor or lead to it.
extension Movement {
    /// Squatting with the hands on the floor: the way between standing and lying.
    static func crouch(_ body: Body) -> Posture {
        let h = body.height
        var posture = Posture.standing(body, halfStance: 0.085 * h)
        posture.pelvis = Vector(0, 0.24 * h, -0.12 * h)
        posture.lean = degrees(62)
        posture.spine = degrees(12)
        posture.nod = degrees(-30)
        posture.bothSides { side in
            side.ankle += Vector(0, 0.02 * h, 0)
            side.toesDown = degrees(20)
            side.kneePole = Vector(0.5, 0, 1)
            side.reach = 1
            side.grip = Vector(0.13 * h, 0.03 * h, 0.26 * h)
            side.elbowPole = Vector(0.7, 0.35, -1)
            side.palm = 1
        }
        return posture
    }

    func burpee(_ depth: Double, _ body: Body) -> Posture {
        let crouch = Movement.crouch(body)
        if depth < 0.5 { return mix(Posture.standing(body, halfStance: 0.085 * body.height), crouch, depth * 2) }
        let out = depth * 2 - 1
        var posture = mix(crouch, PushUp(body: body).posture(depth: 0), out)
        // The feet hop back.
        posture.bothSides { $0.ankle.y += 0.04 * body.height * 4 * out * (1 - out) }
        return posture
    }

    /// On the back, the head towards where the person's back was.
    private func supine(_ body: Body) -> Posture {
        let h = body.height
        var posture = Posture.standing(body)
        posture.pelvis = Vector(0, 0.075 * h, 0)
        posture.lean = degrees(-88)
        posture.nod = degrees(10)
        posture.bothSides { side in
            side.ankle = Vector(0.06 * h, body.ankleHeight, 0.27 * h)
            side.kneePole = Vector(0.1, 1, 0.2)
            side.toesOut = 0
            side.raise = degrees(12)
        }
        return posture
    }

    func sitUp(_ depth: Double, _ body: Body) -> Posture {
        var posture = supine(body)
        posture.lean = mix(degrees(-88), degrees(4), depth)
        posture.spine = degrees(22) * depth
        posture.bothSides { side in
            // Crossed on the chest.
            side.raise = degrees(24)
            side.plane = degrees(70)
            side.elbow = degrees(128)
            side.bend = Vector(-0.7, 1, 0.3)
        }
        return posture
    }

    func legRaise(_ depth: Double, _ body: Body) -> Posture {
        var posture = supine(body)
        let angle = mix(degrees(2), degrees(82), depth)
        let leg = 0.99 * (body.thigh + body.shank)
        let hips = posture.pelvis
        posture.bothSides { side in
            side.ankle = hips + Vector(0.05 * body.height, sine(angle) * leg, cosine(angle) * leg)
            side.toesDown = degrees(30) - angle
            side.kneePole = Vector(0.1, 1, -0.3)
        }
        return posture
    }

    /// The shoulders stay where they lie; the trunk turns about them.
    func bridge(_ depth: Double, _ body: Body) -> Posture {
        var posture = supine(body)
        let rise = 0.2 * body.height * depth
        let slope = rise / body.trunk
        let run = (1 - slope * slope).squareRoot()
        posture.pelvis += Vector(0, rise, (run - 1) * body.trunk)
        let tilt = arcTangent(slope, run)
        posture.lean = degrees(-88) - tilt
        // The arms stay on the floor.
        posture.bothSides { side in
            side.raise = degrees(8) + tilt
            side.plane = degrees(-86)
        }
        return posture
    }
}
