/// Walking, with feet that stay in place on the floor while the body passes over them.
struct Gait {
    /// The step length as a share of the body height.
    static let step = 0.4

    let body: Body

    /// The posture after walking a distance in metres.
    func posture(distance: Double) -> Posture {
        let h = body.height
        let step = Gait.step * h
        var posture = Posture.standing(body)
        let cycle = distance / (2 * step)
        // The hip travels in an arc over the standing foot, so it is lower than when standing upright.
        posture.pelvis.y -= 0.03 * h + 0.008 * h * cosine(4 * Double.pi * cycle)
        posture.lean = degrees(3)
        posture.twist = degrees(5) * sine(2 * Double.pi * cycle)
        swing(&posture.left, cycle: cycle, step: step, height: h)
        swing(&posture.right, cycle: cycle + 0.5, step: step, height: h)
        return posture
    }

    func treading(steps: Double) -> Posture {
        var posture = Posture.standing(body)
        let lift = sine(Double.pi * steps)
        posture.left.ankle.y += 0.045 * body.height * max(0, lift)
        posture.right.ankle.y += 0.045 * body.height * max(0, -lift)
        posture.pelvis.x -= 0.012 * body.height * lift
        return posture
    }

    private func swing(_ side: inout Posture.Side, cycle: Double, step: Double, height: Double) {
        let phase = cycle - cycle.rounded(.down)
        side.ankle.x = 0.045 * height
        if phase < 0.5 {
            // The foot is on the floor and stays in place, so it moves back relative to the body.
            side.ankle.z = step * (0.5 - 2 * phase)
            side.toesDown = degrees(30) * max(0, (phase - 0.35) / 0.15)
            side.ankle.y += 0.035 * height * max(0, (phase - 0.35) / 0.15)
        } else {
            let air = (phase - 0.5) * 2
            side.ankle.z = step * (smoothstep(air) - 0.5)
            side.ankle.y += 0.035 * height * (1 - air) + 0.05 * height * 4 * air * (1 - air) * 0.6
            side.toesDown = degrees(30) * (1 - air) * (1 - air) - degrees(14) * air
        }
        // The arm swings in the opposite phase to the leg.
        let arm = -sine(2 * Double.pi * (phase + 0.25))
        side.raise = degrees(24) * abs(arm) + degrees(3)
        side.plane = mix(0, arm > 0 ? degrees(90) : degrees(-90), min(abs(arm) * 3, 1))
        side.elbow = degrees(18 + 10 * arm)
    }
}
