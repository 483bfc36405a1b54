/// Activities other than exercise, which must not be counted.
package enum Activity: String, CaseIterable, Codable, Sendable {
    case idle, wave, talk, sit, plank, pickUp

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
        Activity.sitting(presence(time, duration, ramp: 1.2), body)
    }

    /// Between standing, 0, and sitting on the stool, 1.
    static func sitting(_ down: Double, _ body: Body) -> Posture {
        let h = body.height
        var posture = Posture.standing(body, halfStance: 0.08 * h)
        let seat = Vector(0, Activity.seatHeight * h + 0.055 * h, -0.2 * h)
        posture.pelvis = mix(posture.pelvis, seat, down)
        posture.lean = degrees(34) * 4 * down * (1 - down) + degrees(4) * down
        posture.arms(raise: degrees(6 + 26 * down), plane: degrees(80) * down, elbow: degrees(12 + 46 * down))
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
