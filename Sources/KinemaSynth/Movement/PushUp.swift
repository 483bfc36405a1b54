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
