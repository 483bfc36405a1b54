/// Activities other than exercise, which must not be counted.
package enum Activity: String, CaseIterable, Codable, Sendable {
    /// Standing around.
    case idle
    /// Waving with the right hand.
    case wave
    /// Talking with both hands.
    case talk
    /// Sitting down on a stool and getting up again.
    case sit
    /// Holding a plank on straight arms.
    case plank
    /// Picking something up from the floor.
    case pickUp

    /// The posture `time` seconds into an activity of `duration` seconds.
    func posture(time: Double, duration: Double, body: Body) -> Posture {
        switch self {
        case .idle: Posture.standing(body)
        case .wave: wave(time, duration, body)
        case .talk: talk(time, duration, body)
        case .sit: sit(time, duration, body)
        case .plank: PushUp(body: body).posture(depth: 0.03 + 0.02 * sine(1.3 * time))
        case .pickUp: pickUp(time, duration, body)
        }
    }

    /// 0 at both ends of the activity, 1 in between.
    private func presence(_ time: Double, _ duration: Double, ramp: Double) -> Double {
        smoothstep(min(time, duration - time) / min(ramp, duration / 2))
    }

    private func wave(_ time: Double, _ duration: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body)
        let up = presence(time, duration, ramp: 0.7)
        posture.right.raise = mix(degrees(6), degrees(108), up)
        posture.right.plane = degrees(15) * up
        posture.right.elbow = mix(degrees(12), degrees(78 + 24 * sine(9.1 * time) + 6 * sine(5.3 * time)), up)
        posture.right.bend = mix(Vector(0, 0, 1), Vector(0.1, 1, 0.15), up)
        posture.nod = degrees(-3) * up
        return posture
    }

    private func talk(_ time: Double, _ duration: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body)
        let up = presence(time, duration, ramp: 0.6)
        // A sum of sines whose periods have no common multiple, so that the movement never repeats.
        func wander(_ a: Double, _ b: Double) -> Double {
            0.6 * sine(a * time + b) + 0.4 * sine(a * 0.618 * time + 2 * b)
        }
        posture.left.raise = degrees(6 + (16 + 8 * wander(2.7, 0)) * up)
        posture.right.raise = degrees(6 + (18 + 9 * wander(3.1, 1)) * up)
        posture.left.plane = degrees(60) * up
        posture.right.plane = degrees(60) * up
        posture.left.elbow = degrees(12 + (62 + 26 * wander(3.7, 2)) * up)
        posture.right.elbow = degrees(12 + (66 + 28 * wander(2.3, 3)) * up)
        posture.headTurn = degrees(14 * wander(1.1, 4)) * up
        return posture
    }

    private func sit(_ time: Double, _ duration: Double, _ body: Body) -> Posture {
        let down = presence(time, duration, ramp: 1.2)
        let h = body.height
        var posture = Posture.standing(body, halfStance: 0.08 * h)
        let seat = Vector(0, Activity.seatHeight * h + 0.055 * h, -0.2 * h)
        posture.pelvis = mix(posture.pelvis, seat, down)
        posture.lean = degrees(34) * 4 * down * (1 - down) + degrees(4) * down
        posture.bothSides { side in
            side.raise = degrees(6 + 26 * down)
            side.plane = degrees(80) * down
            side.elbow = degrees(12 + 46 * down)
        }
        return posture
    }

    private func pickUp(_ time: Double, _ duration: Double, _ body: Body) -> Posture {
        let down = presence(time, duration, ramp: duration / 2)
        let h = body.height
        var posture = Posture.standing(body, halfStance: 0.075 * h)
        posture.pelvis += Vector(0, -0.19 * h, -0.1 * h) * down
        posture.lean = degrees(66) * down
        posture.spine = degrees(22) * down
        posture.right.reach = down
        posture.right.grip = Vector(0.06 * h, 0.09 * h, 0.2 * h)
        posture.right.elbowPole = Vector(1, 0.2, -0.3)
        posture.left.raise = degrees(6 + 30 * down)
        posture.left.plane = degrees(70) * down
        return posture
    }

    /// The height of the stool as a share of the body height.
    static let seatHeight = 0.245
}

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

    /// The posture after a number of steps on the spot.
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
