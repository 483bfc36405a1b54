/// A jump from both feet with a swing downwards before it: constant acceleration up to take-off, then free fall.
struct CountermovementJump: Sendable {
    let body: Body
    /// The rise of the body between take-off and its highest point, in metres.
    let height: Double

    private static let stillness = 0.8, sinking = 0.55
    /// The foot's angle at take-off, down from level.
    private static let leaving = degrees(46)

    /// The stretched leg, and the height of the pelvis in standing: both a little short, as the body sways.
    private var leg: Double { 0.992 * (body.thigh + body.shank) }
    private var standing: Double { Posture.standing(body, halfStance: halfStance).pelvis.y - 0.004 * body.height }
    private var halfStance: Double { body.hipHalfWidth }
    /// The heights of the pelvis at the lowest point and at take-off.
    private var low: Double { standing - 0.16 * body.height }
    private var high: Double { reach(pitch: Self.leaving) }
    private var speed: Double { (2 * BallisticFlight.gravity * height).squareRoot() }
    private var push: Double { 2 * (high - low) / speed }

    var takeOff: Double { Self.stillness + Self.sinking + push }
    var landing: Double { takeOff + 2 * speed / BallisticFlight.gravity }
    var duration: Double { landing + push + 0.7 + Self.stillness }

    /// The posture at a time, in seconds from standing still.
    func posture(at time: Double) -> Posture {
        var posture = Posture.standing(body, halfStance: halfStance)
        let air = min(max(time - takeOff, 0), landing - takeOff)
        let rise = speed * air - BallisticFlight.gravity * air * air / 2
        posture.pelvis.y = pelvis(at: time) + rise
        let bend = min(max((standing - posture.pelvis.y) / (standing - low), 0), 1)
        posture.pelvis.z = -0.1 * body.height * bend
        posture.lean = degrees(40) * bend
        let pitch = pitch(pelvis: posture.pelvis.y - rise)
        let ankle = ankle(pitch: pitch) + Vector(0, rise, 0)
        // The arms are still in flight, so that the centre of mass falls as the pelvis does.
        let swing = mix(degrees(-40) * bend, degrees(95), smoothstep((time - takeOff) / push + 1))
        let arm = time < takeOff ? swing : degrees(95) * (1 - smoothstep((time - landing) / 0.6))
        posture.bothSides { side in
            side.ankle = Vector(halfStance, ankle.y, ankle.z)
            side.toesDown = pitch
            side.toesOut = 0
            side.kneePole = Vector(0, 0, 1)
            side.raise = arm
            side.plane = degrees(88)
        }
        return posture
    }

    /// The height of the pelvis less that of flight.
    private func pelvis(at time: Double) -> Double {
        let start = Self.stillness
        if time < start + Self.sinking { return mix(standing, low, smoothstep((time - start) / Self.sinking)) }
        let acceleration = speed / push
        // Landing is the push in reverse.
        let since = min(time - start - Self.sinking, push)
        let left = max(0, min(landing + push - time, push))
        let part = time <= landing ? since : left
        guard time > landing + push else { return low + acceleration * part * part / 2 }
        return mix(low, standing, smoothstep((time - landing - push) / 0.7))
    }

    /// The foot's angle for a height of the pelvis that the leg reaches only on the tip of the foot.
    private func pitch(pelvis: Double) -> Double {
        var (flat, steep) = (0.0, Self.leaving)
        guard pelvis > reach(pitch: 0) else { return 0 }
        for _ in 0..<40 {
            let middle = (flat + steep) / 2
            if reach(pitch: middle) < pelvis { flat = middle } else { steep = middle }
        }
        return steep
    }

    /// The height of the pelvis over a stretched leg.
    private func reach(pitch: Double) -> Double {
        let ankle = ankle(pitch: pitch)
        return ankle.y + (leg * leg - ankle.z * ankle.z).squareRoot()
    }

    private func ankle(pitch: Double) -> Vector {
        Vector(0, body.ankleHeight, 0) + body.footTip - Rotation.pitch(pitch) * body.footTip
    }
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

/// The push-up: the body is a plank that rotates about the toes, with the hands fixed on the floor.
struct PushUp {
    let body: Body

    private var ankleHeight: Double { 0.105 * body.height }
    private var line: Double { body.thigh + body.shank + body.trunk }
    private var gripHeight: Double { 0.03 * body.height }
    private var topHeight: Double { 0.985 * (body.upperArm + body.forearm) + gripHeight }

    /// The posture at a depth: 0 on straight arms, 1 with the chest near the floor.
    func posture(depth: Double) -> Posture {
        let h = body.height
        let shoulder = mix(topHeight, 0.125 * h, depth)
        // The body rotates about the ankles. The figure is centred over the origin.
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
        }
        posture.arms(raise: degrees(80), plane: degrees(90), elbow: degrees(10))
        posture.hold(grip, elbowPole: Vector(0.7, 0.35, -1), palm: 1)
        return posture
    }
}
