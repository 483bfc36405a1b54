extension Movement {
    func jumpingJack(_ depth: Double, _ body: Body) -> Posture {
        let stance = mix(0.05, 0.2, depth) * body.height
        var posture = Posture.standing(body, halfStance: stance)
        let air = 4 * depth * (1 - depth)
        let hop = 0.04 * body.height * air
        posture.pelvis.y += hop
        posture.arms(
            raise: mix(degrees(8), degrees(163), depth), plane: degrees(4), elbow: degrees(14 + 10 * air),
            bend: Vector(0, 1, 0.3))
        posture.bothSides { side in
            side.ankle.y += hop
            side.toesDown = degrees(22) * air
            side.kneePole = Vector(0.35, 0, 1)
        }
        return posture
    }

    func squat(_ depth: Double, _ body: Body) -> Posture {
        let h = body.height
        var posture = Posture.standing(body, halfStance: 0.095 * h)
        let top = posture.pelvis.y
        // With level thighs, the hip is as high as the knee over a shank that leans 25 degrees.
        let bottom = body.ankleHeight + body.shank * cosine(degrees(25)) + 0.01 * h
        posture.pelvis = Vector(0, mix(top, bottom, depth), -0.13 * h * depth)
        posture.lean = degrees(38) * depth
        posture.spine = degrees(6) * depth
        posture.nod = degrees(-28) * depth
        posture.bothSides { side in
            side.toesOut = degrees(18)
            side.kneePole = Vector(0.35, 0, 1)
        }
        posture.arms(
            raise: mix(degrees(7), degrees(124), depth), plane: mix(degrees(20), degrees(85), min(depth * 2, 1)),
            elbow: degrees(12))
        return posture
    }

    func curl(_ depth: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body, halfStance: 0.075 * body.height)
        posture.arms(
            raise: degrees(9 + 10 * depth), plane: degrees(40 + 25 * depth),
            elbow: mix(degrees(10), degrees(138), depth), bend: Vector(0.1, 0, 1))
        return posture
    }

    func raise(_ depth: Double, _ body: Body, plane: Double) -> Posture {
        var posture = Posture.standing(body, halfStance: 0.075 * body.height)
        posture.lean = degrees(-2) * depth
        posture.arms(
            raise: mix(degrees(9), degrees(92), depth), plane: plane, elbow: degrees(10), bend: Vector(0, 0.3, 1))
        return posture
    }

    func shoulderPress(_ depth: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body, halfStance: 0.08 * body.height)
        posture.arms(
            raise: mix(degrees(48), degrees(166), depth), plane: degrees(14),
            elbow: mix(degrees(132), degrees(10), depth), bend: Vector(-0.3, 1, 0.3))
        return posture
    }

    /// The left foot steps ahead; the hips follow halfway and sink.
    func lunge(_ depth: Double, _ body: Body) -> Posture {
        let h = body.height
        var posture = Posture.standing(body, halfStance: 0.06 * h)
        posture.pelvis += Vector(0, -0.2 * h, 0.17 * h) * depth
        posture.lean = degrees(8) * depth
        posture.left.ankle += Vector(0, 0.06 * h * 4 * depth * (1 - depth), 0.38 * h * depth)
        posture.right.ankle += Vector(0, 0.06 * h, 0) * depth
        posture.right.toesDown = degrees(52) * depth
        return posture
    }

    /// The arms hang straight down regardless of the trunk.
    func deadlift(_ depth: Double, _ body: Body) -> Posture {
        let h = body.height
        var posture = Posture.standing(body, halfStance: 0.075 * h)
        posture.pelvis += Vector(0, -0.05 * h, -0.13 * h) * depth
        posture.lean = degrees(68) * depth
        posture.nod = degrees(-26) * depth
        posture.arms(raise: degrees(6) + degrees(66) * depth, plane: degrees(84), elbow: degrees(6))
        return posture
    }

    func sideBend(_ depth: Double, _ body: Body) -> Posture {
        let h = body.height
        var posture = Posture.standing(body, halfStance: 0.1 * h)
        posture.pelvis.x += 0.05 * h * depth
        posture.pelvis.y -= 0.012 * h * depth
        posture.sideLean = degrees(34) * depth
        posture.left.raise = mix(degrees(8), degrees(158), depth)
        posture.left.elbow = degrees(18)
        posture.left.bend = Vector(-1, 0.4, 0)
        return posture
    }

    func kneeRaise(_ depth: Double, _ body: Body) -> Posture {
        let h = body.height
        var posture = Posture.standing(body)
        posture.left.ankle += Vector(0, 0.25 * h, 0.14 * h) * depth
        posture.left.toesDown = degrees(24) * depth
        posture.left.kneePole = Vector(0.1, 0, 1)
        posture.pelvis.x -= 0.03 * h * depth
        posture.right.raise = degrees(6 + 40 * depth)
        posture.right.plane = degrees(85)
        posture.right.elbow = degrees(20 + 60 * depth)
        return posture
    }

    func sideLegRaise(_ depth: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body)
        posture.pelvis.x -= 0.03 * body.height * depth
        let angle = degrees(48) * depth
        let leg = 0.995 * (body.thigh + body.shank)
        let hip = posture.pelvis + Vector(body.hipHalfWidth, 0, 0)
        posture.left.ankle = mix(
            posture.left.ankle, hip + Vector(sine(angle), -cosine(angle), 0) * leg, min(depth * 4, 1))
        posture.arms(raise: degrees(34), elbow: degrees(95), bend: Vector(-1, -0.2, 0.2))
        return posture
    }

    func overheadExtension(_ depth: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body, halfStance: 0.08 * body.height)
        posture.arms(
            raise: mix(degrees(168), degrees(158), depth), plane: degrees(40),
            elbow: mix(degrees(10), degrees(122), depth), bend: Vector(0, -0.4, -1))
        return posture
    }

    func bentOverRow(_ depth: Double, _ body: Body) -> Posture {
        let h = body.height
        var posture = Posture.standing(body, halfStance: 0.085 * h)
        posture.pelvis += Vector(0, -0.05 * h, -0.12 * h)
        posture.lean = degrees(52)
        posture.nod = degrees(-22)
        posture.arms(
            raise: mix(degrees(54), degrees(-22), depth), plane: degrees(84),
            elbow: mix(degrees(8), degrees(100), depth))
        return posture
    }

    func legCurl(_ depth: Double, _ body: Body) -> Posture {
        let h = body.height
        var posture = Posture.standing(body)
        posture.left.ankle += Vector(0, 0.24 * h, -0.2 * h) * depth
        posture.left.toesDown = degrees(70) * depth
        posture.left.kneePole = Vector(0.1, 0, 1)
        posture.pelvis.x -= 0.02 * h * depth
        posture.arms(raise: degrees(34), elbow: degrees(95), bend: Vector(-1, -0.2, 0.2))
        return posture
    }

    func torsoTwist(_ depth: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body, halfStance: 0.09 * body.height)
        posture.twist = degrees(68) * depth
        posture.headTurn = degrees(-20) * depth
        posture.arms(raise: degrees(82), plane: degrees(78), elbow: degrees(24), bend: Vector(-1, 0, 0.2))
        return posture
    }
}

extension Movement {
    /// Squatting with the hands on the floor: the posture between standing and lying.
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
        }
        posture.hold(Vector(0.13 * h, 0.03 * h, 0.26 * h), elbowPole: Vector(0.7, 0.35, -1), palm: 1)
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

    /// Lying on the back, with the head towards where the person's back was.
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
        // The arms are crossed on the chest.
        posture.arms(raise: degrees(24), plane: degrees(70), elbow: degrees(128), bend: Vector(-0.7, 1, 0.3))
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

    /// The shoulders stay in place; the trunk rotates about them.
    func bridge(_ depth: Double, _ body: Body) -> Posture {
        var posture = supine(body)
        let rise = 0.2 * body.height * depth
        let slope = rise / body.trunk
        let run = (1 - slope * slope).squareRoot()
        posture.pelvis += Vector(0, rise, (run - 1) * body.trunk)
        let tilt = arcTangent(slope, run)
        posture.lean = degrees(-88) - tilt
        // The arms stay on the floor.
        posture.arms(raise: degrees(8) + tilt, plane: degrees(-86))
        return posture
    }
}
