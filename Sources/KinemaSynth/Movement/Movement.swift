package import KinemaCore

/// An exercise; a repetition goes from the start posture to the far end of the movement and back.
package enum Movement: String, CaseIterable, Codable, Sendable {
    case jumpingJack, squat, pushUp, bicepsCurl, frontRaise, lateralRaise, shoulderPress, lunge, deadlift
    /// The trunk bent to the right with the left arm overhead, then up.
    case sideBend
    /// The left knee up to hip height, then down.
    case kneeRaise
    /// The straight left leg out to the side, then back.
    case sideLegRaise
    /// The trunk turned to the left with both arms ahead, then back.
    case torsoTwist
    case burpee, sitUp, legRaise, bridge
    /// The hands overhead, lowered behind the head and back.
    case overheadExtension
    /// The trunk leant forward, the hands pulled to the waist, then lowered.
    case bentOverRow
    /// The left heel up to the seat, then down.
    case legCurl

    /// The movements of random scenes; another one would change every scene of a seed.
    static let ofRandomScenes: [Movement] = allCases.filter {
        ![.overheadExtension, .bentOverRow, .legCurl].contains($0)
    }

    /// The usual duration of a repetition, in seconds.
    var tempo: ClosedRange<Double> {
        switch self {
        case .jumpingJack: 0.9...1.4
        case .squat: 1.8...3.2
        case .pushUp: 1.3...2.4
        case .bicepsCurl, .frontRaise, .lateralRaise, .shoulderPress, .sideBend, .torsoTwist, .overheadExtension,
            .bentOverRow:
            1.4...2.6
        case .kneeRaise, .sideLegRaise, .legCurl: 1...2
        case .lunge, .deadlift, .sitUp, .legRaise, .bridge: 1.8...3.2
        case .burpee: 2.6...4
        }
    }

    /// The duration of a repetition from the fastest to the slowest that people do, in seconds.
    var paces: ClosedRange<Double> {
        switch self {
        case .jumpingJack: 0.55...2
        case .kneeRaise: 0.5...2.5
        case .sideLegRaise, .legCurl: 0.7...4
        case .bicepsCurl, .frontRaise, .lateralRaise, .shoulderPress, .torsoTwist, .overheadExtension, .bentOverRow:
            0.8...5.5
        case .pushUp, .sideBend: 0.8...5
        case .squat, .bridge: 1...6
        case .lunge, .sitUp, .legRaise, .deadlift: 1.3...6
        case .burpee: 2...5
        }
    }

    var isOnFloor: Bool { [.pushUp, .sitUp, .legRaise, .bridge].contains(self) }

    var hasDumbbells: Bool {
        [.bicepsCurl, .frontRaise, .lateralRaise, .shoulderPress, .deadlift, .bentOverRow].contains(self)
    }

    var views: [SynthCamera.View] {
        switch self {
        case .pushUp, .sitUp, .legRaise, .bridge: [.side, .sideLeft]
        case .deadlift, .burpee: [.side, .sideLeft, .threeQuarter]
        case .squat, .shoulderPress: SynthCamera.View.allCases
        case .lunge, .bentOverRow, .legCurl: [.side, .sideLeft, .threeQuarter, .high]
        case .sideBend, .sideLegRaise: [.front, .back, .high, .low]
        case .torsoTwist: [.front, .high, .threeQuarter]
        case .kneeRaise, .bicepsCurl, .frontRaise: [.front, .side, .sideLeft, .threeQuarter, .high, .low]
        case .jumpingJack, .lateralRaise, .overheadExtension: [.front, .threeQuarter, .high, .low]
        }
    }

    /// The posture at a depth: 0 is the start posture, 1 the far end.
    func posture(depth: Double, body: Body) -> Posture {
        switch self {
        case .jumpingJack: jumpingJack(depth, body)
        case .squat: squat(depth, body)
        case .pushUp: PushUp(body: body).posture(depth: depth)
        case .bicepsCurl: curl(depth, body)
        case .frontRaise: raise(depth, body, plane: degrees(84))
        case .lateralRaise: raise(depth, body, plane: degrees(8))
        case .shoulderPress: shoulderPress(depth, body)
        case .lunge: lunge(depth, body)
        case .deadlift: deadlift(depth, body)
        case .sideBend: sideBend(depth, body)
        case .kneeRaise: kneeRaise(depth, body)
        case .sideLegRaise: sideLegRaise(depth, body)
        case .torsoTwist: torsoTwist(depth, body)
        case .burpee: burpee(depth, body)
        case .sitUp: sitUp(depth, body)
        case .legRaise: legRaise(depth, body)
        case .bridge: bridge(depth, body)
        case .overheadExtension: overheadExtension(depth, body)
        case .bentOverRow: bentOverRow(depth, body)
        case .legCurl: legCurl(depth, body)
        }
    }
}

/// Known deviations of a movement from its usual form, largest at the far end.
package struct MovementChange: Sendable {
    package enum Amount: String, CaseIterable, Sendable {
        /// The trunk's further lean forward and the turn of the left knee inward, degrees.
        case lean, knee
        /// The share by which the right side goes less far.
        case uneven
        /// The share of the range, and the seconds of a repetition.
        case depth, seconds
    }

    package var amounts: [Amount: Double] = [:]

    package init() {}

    func apply(to posture: inout Posture, of movement: Movement, depth: Double, body: Body) {
        if let uneven = amounts[.uneven] {
            posture.right = movement.posture(depth: (1 - uneven) * depth, body: body).right
        }
        posture.lean += degrees(amounts[.lean] ?? 0) * depth
        let turned = degrees(amounts[.knee] ?? 0) * depth, pole = posture.left.kneePole
        // The pole's x points outward.
        posture.left.kneePole.x = pole.x * cosine(turned) - pole.z * sine(turned)
        posture.left.kneePole.z = pole.z * cosine(turned) + pole.x * sine(turned)
    }
}

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
