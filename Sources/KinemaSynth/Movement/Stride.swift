/// Steady walking or running straight ahead, on feet that stay in place while they bear weight.
///
/// A foot comes down on its heel, lies flat, and leaves over its tip; the point about which it turns does not move. Times
/// are seconds from a contact of the left foot, distances metres ahead of the pelvis at that time.
struct Stride: Sendable {
    let body: Body
    /// In metres per second.
    let speed: Double
    /// The lengths of the steps that end with the left and the right foot's contact, in metres.
    let left, right: Double
    /// The share of a cycle for which a foot is on the floor: above a half in walking, below in running.
    let stance: Double
    /// The mean height of the pelvis, in metres: the highest at which the legs reach the floor throughout.
    private var level = 0.0

    /// The shares of the stance at which the whole foot is down and at which the heel leaves the floor.
    private static let flat = (from: 0.16, to: 0.55)
    /// The foot's angles at contact and at toe-off, down from level.
    private static let pitch = (contact: degrees(-16), leaving: degrees(48))

    init(body: Body, speed: Double, left: Double, right: Double, stance: Double) {
        (self.body, self.speed, self.left, self.right, self.stance) = (body, speed, left, right, stance)
        let leg = 0.995 * (body.thigh + body.shank)
        // The right foot comes down farther ahead than the left by half of what its step is longer.
        let lead = lead + max(0, (right - left) / 2)
        level = (0..<200).reduce(Double.infinity) { lowest, step in
            let cycle = Double(step) / 200
            guard cycle < stance else { return lowest }
            let ankle = foot(cycle: cycle, contact: lead).ankle
            let ahead = ankle.z - speed * period * cycle
            return min(lowest, ankle.y + (leg * leg - ahead * ahead).squareRoot() - bounce(cycle))
        }
    }

    /// The duration of a cycle of two steps, in seconds.
    var period: Double { (left + right) / speed }
    var isRunning: Bool { stance < 0.5 }
    /// The distance of the heel ahead of the pelvis at contact.
    private var lead: Double { 0.4 * stance * (left + right) - 0.02 * body.height }

    /// The heel of a foot at its contact number `index` from the time 0.
    func contact(_ index: Int, isLeft: Bool) -> (time: Double, heel: Double) {
        let cycle = Double(index) + (isLeft ? 0 : 0.5)
        return (cycle * period, lead + Double(index) * (left + right) + (isLeft ? 0 : right))
    }

    func toeOff(_ index: Int, isLeft: Bool) -> Double { (Double(index) + (isLeft ? 0 : 0.5) + stance) * period }

    /// The posture relative to a pelvis that has moved on by `speed` times the time.
    func posture(at time: Double) -> Posture {
        let cycle = time / period
        var posture = Posture.standing(body)
        posture.pelvis.y = level + bounce(cycle)
        posture.lean = degrees(isRunning ? 8 : 3)
        posture.twist = degrees(5) * sine(2 * Double.pi * cycle)
        place(&posture.left, isLeft: true, cycle: cycle, at: time)
        place(&posture.right, isLeft: false, cycle: cycle, at: time)
        return posture
    }

    /// The pelvis is lowest between the steps in walking, and in the middle of a stance in running.
    private func bounce(_ cycle: Double) -> Double {
        let phase = cosine(4 * Double.pi * (cycle - stance / 2))
        return (isRunning ? -0.02 : 0.012) * body.height * phase
    }

    private func place(_ side: inout Posture.Side, isLeft: Bool, cycle: Double, at time: Double) {
        let own = cycle - (isLeft ? 0 : 0.5)
        let index = own.rounded(.down)
        let foot = foot(cycle: own - index, contact: contact(Int(index), isLeft: isLeft).heel)
        side.ankle = Vector(0.045 * body.height, foot.ankle.y, foot.ankle.z - speed * time)
        side.toesDown = foot.pitch
        side.toesOut = 0
        side.kneePole = Vector(0.05, 0, 1)
        // The arm swings against the leg of its side.
        let arm = cosine(2 * Double.pi * (own - stance / 8))
        side.raise = degrees(isRunning ? 34 : 22) * -arm
        side.plane = degrees(88)
        side.elbow = isRunning ? degrees(88 - 14 * arm) : degrees(20 - 10 * arm)
    }

    /// A foot at a part of its cycle, 0...1, after its heel came down at a point.
    private func foot(cycle: Double, contact heel: Double) -> (ankle: Vector, pitch: Double) {
        let part = cycle / stance
        if part < 1 {
            let pitch =
                part < Stride.flat.from
                ? Stride.pitch.contact * (1 - smoothstep(part / Stride.flat.from))
                : Stride.pitch.leaving * rising((part - Stride.flat.to) / (1 - Stride.flat.to))
            return (ankle(heel: heel, pitch: pitch), pitch)
        }
        let air = (cycle - stance) / (1 - stance)
        let from = ankle(heel: heel, pitch: Stride.pitch.leaving)
        let to = ankle(heel: heel + left + right, pitch: Stride.pitch.contact)
        var ankle = mix(from, to, smoothstep(air))
        let early = air * (1 - air) * (1 - air) * 6.75
        ankle.y += (isRunning ? 0.24 : 0.02) * body.height * early
        let pitch = mix(Stride.pitch.leaving, Stride.pitch.contact, smoothstep(air * 1.3))
        return (ankle, pitch)
    }

    private func rising(_ share: Double) -> Double { share > 0 ? share * share : 0 }

    /// The ankle of a foot that turns about its heel while its tip is up, and about its tip while its heel is.
    private func ankle(heel: Double, pitch: Double) -> Vector {
        let flat = Vector(0, body.ankleHeight, heel) - body.heel.level
        let pivot = pitch < 0 ? body.heel : body.footTip
        return flat + pivot - Rotation.pitch(pitch) * pivot
    }
}

extension Body {
    /// The heel and the tip of a level foot from its ankle, in metres.
    var heel: Vector { Vector(0, -0.025 * height, -0.03 * height) }
    var footTip: Vector { Vector(0, -0.028 * height, 0.105 * height) }

    /// The height of the crown above the floor when standing, in shoes and without the hair, in metres.
    package var standingHeight: Double { hipHeight + trunk + 0.1775 * height }
}
