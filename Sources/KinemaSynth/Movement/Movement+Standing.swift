/// Movements on the feet.
extension Movement {
    func shoulderPress(_ depth: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body, halfStance: 0.08 * body.height)
        posture.bothSides { side in
            side.raise = mix(degrees(48), degrees(166), depth)
            side.plane = degrees(14)
            side.elbow = mix(degrees(132), degrees(10), depth)
            side.bend = Vector(-0.3, 1, 0.3)
        }
        return posture
    }

    /// The left foot steps ahead, the hips follow half-way and sink.
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

    /// The arms hang straight down whatever the trunk does.
    func deadlift(_ depth: Double, _ body: Body) -> Posture {
        let h = body.height
        var posture = Posture.standing(body, halfStance: 0.075 * h)
        posture.pelvis += Vector(0, -0.05 * h, -0.13 * h) * depth
        posture.lean = degrees(68) * depth
        posture.nod = degrees(-26) * depth
        posture.bothSides { side in
            side.raise = degrees(6) + degrees(66) * depth
            side.plane = degrees(84)
            side.elbow = degrees(6)
        }
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
        posture.bothSides { side in
            side.raise = degrees(34)
            side.elbow = degrees(95)
            side.bend = Vector(-1, -0.2, 0.2)
        }
        return posture
    }

    func torsoTwist(_ depth: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body, halfStance: 0.09 * body.height)
        posture.twist = degrees(68) * depth
        posture.headTurn = degrees(-20) * depth
        posture.bothSides { side in
            side.raise = degrees(82)
            side.plane = degrees(78)
            side.elbow = degrees(24)
            side.bend = Vector(-1, 0, 0.2)
        }
        return posture
    }
}
