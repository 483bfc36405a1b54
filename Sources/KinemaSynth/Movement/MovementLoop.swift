package import KinemaCore

/// A repetition of an exercise by an average body, to be shown in a loop.
package struct MovementLoop: Sendable {
    /// The duration of a repetition, seconds.
    package var seconds: Double
    /// Joints from the middle of the hips in lengths of the trunk: x to the left of the body, y up, z ahead.
    package var frames: [[JointKey: Vector]]

    private static let body = Body()
    private static let count = 24
    private static let joints: [JointKey] = [.nose] + BodySkeleton.limbs

    /// The loop of a built-in exercise by its name; nil if no movement shows it.
    package init?(exercise name: String) {
        let body = Self.body
        var tempo = 1.8...3.2
        let posture: (Double) -> Posture
        switch name {
        case "pull_up": posture = { Self.pullUp($0, body) }
        case "bench_press": posture = { Self.benchPress($0, body) }
        case "plank": posture = { _ in PushUp(body: body).posture(depth: 0) }
        default:
            guard let movement = Self.movements[name] else { return nil }
            tempo = movement.tempo
            posture = { movement.posture(depth: $0, body: body) }
        }
        seconds = (tempo.lowerBound + tempo.upperBound) / 2
        frames = (0..<Self.count).map { index in
            let depth = (1 - cosine(2 * .pi * Double(index) / Double(Self.count))) / 2
            let armature = Armature(body: body, posture: posture(depth), placement: Placement())
            let origin = armature.root
            return Dictionary(
                uniqueKeysWithValues: Self.joints.map { ($0, (armature[$0] - origin) / body.trunk) })
        }
    }

    private static let movements: [String: Movement] = [
        "squat": .squat, "lunge": .lunge, "deadlift": .deadlift, "push_up": .pushUp, "shoulder_press": .shoulderPress,
        "sit_up": .sitUp, "bicep_curl": .bicepsCurl, "front_raise": .frontRaise, "lateral_raise": .lateralRaise,
        "jumping_jack": .jumpingJack, "burpee": .burpee,
    ]

    /// Hanging from a bar; the hands stay where they are.
    private static func pullUp(_ depth: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body, halfStance: 0.05 * body.height)
        let shoulder = posture.pelvis.y + body.trunk
        let rise = 0.8 * body.upperArm * 2 * depth
        posture.pelvis.y += rise
        posture.lean = degrees(-10) * depth
        posture.bothSides { side in
            side.ankle += Vector(0, rise + 0.01 * body.height, -0.06 * body.height)
            side.toesDown = degrees(30)
        }
        let bar = Vector(
            1.3 * body.shoulderHalfWidth, shoulder + 0.97 * (body.upperArm + body.forearm), 0.04 * body.height)
        posture.hold(bar, elbowPole: Vector(1, -0.4, 0.2))
        return posture
    }

    /// Lying on the back; the hands move straight above the chest.
    private static func benchPress(_ depth: Double, _ body: Body) -> Posture {
        var posture = Movement.sitUp.posture(depth: 0, body: body)
        let chest = 0.1 * body.height
        let grip = Vector(
            1.4 * body.shoulderHalfWidth,
            chest + mix(0.95 * (body.upperArm + body.forearm), 0.12 * body.height, depth), -0.9 * body.trunk)
        posture.hold(grip, elbowPole: Vector(1, -0.5, 0.3))
        return posture
    }
}
