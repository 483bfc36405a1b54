/// An exercise; a repetition goes from the start posture to the far end of the movement and back.
package enum Movement: String, CaseIterable, Codable, Sendable {
    /// Arms overhead and legs apart in one hop, then back.
    case jumpingJack
    /// Down until the thighs are about level with the arms ahead, then up.
    case squat
    /// From straight arms down until the chest is near the floor, then up.
    case pushUp
    /// Both forearms up to the shoulders, then down.
    case bicepsCurl
    /// Both straight arms forward to shoulder height, then down.
    case frontRaise
    /// Both straight arms sideways to shoulder height, then down.
    case lateralRaise
    /// Both hands from the shoulders to overhead, then back.
    case shoulderPress
    /// One foot a long step ahead with both knees bent, then back.
    case lunge
    /// The trunk bent forward from the hips with hanging arms, then up.
    case deadlift
    /// The trunk bent to the right with the left arm overhead, then up.
    case sideBend
    /// The left knee up to hip height, then down.
    case kneeRaise
    /// The straight left leg out to the side, then back.
    case sideLegRaise
    /// The trunk turned to the left with both arms ahead, then back.
    case torsoTwist
    /// From standing through a crouch with the hands on the floor into a plank, then up.
    case burpee
    /// From lying on the back to sitting, then down.
    case sitUp
    /// Lying on the back, both straight legs up, then down.
    case legRaise
    /// Lying on the back with the feet on the floor, the hips up, then down.
    case bridge

    /// The usual duration of a repetition, in seconds.
    var tempo: ClosedRange<Double> {
        switch self {
        case .jumpingJack: 0.9...1.4
        case .squat: 1.8...3.2
        case .pushUp: 1.3...2.4
        case .bicepsCurl, .frontRaise, .lateralRaise, .shoulderPress, .sideBend, .torsoTwist: 1.4...2.6
        case .kneeRaise, .sideLegRaise: 1...2
        case .lunge, .deadlift, .sitUp, .legRaise, .bridge: 1.8...3.2
        case .burpee: 2.6...4
        }
    }

    /// The duration of a repetition from the fastest to the slowest that people do it, in seconds.
    var paces: ClosedRange<Double> {
        switch self {
        case .jumpingJack: 0.55...2
        case .kneeRaise: 0.5...2.5
        case .sideLegRaise: 0.7...4
        case .bicepsCurl, .frontRaise, .lateralRaise, .shoulderPress, .torsoTwist: 0.8...5.5
        case .pushUp, .sideBend: 0.8...5
        case .squat, .bridge: 1...6
        case .lunge, .sitUp, .legRaise, .deadlift: 1.3...6
        case .burpee: 2...5
        }
    }

    /// Whether the body lies on the floor.
    var isOnFloor: Bool {
        switch self {
        case .pushUp, .sitUp, .legRaise, .bridge: true
        default: false
        }
    }

    /// Whether the person holds dumbbells.
    var hasDumbbells: Bool {
        switch self {
        case .bicepsCurl, .frontRaise, .lateralRaise, .shoulderPress, .deadlift: true
        default: false
        }
    }

    /// The views that show the movement.
    var views: [SynthCamera.View] {
        switch self {
        case .pushUp, .sitUp, .legRaise, .bridge: [.side, .sideLeft]
        case .deadlift, .burpee: [.side, .sideLeft, .threeQuarter]
        case .squat, .shoulderPress: SynthCamera.View.allCases
        case .lunge: [.side, .sideLeft, .threeQuarter, .high]
        case .kneeRaise: [.front, .side, .sideLeft, .threeQuarter, .high, .low]
        case .sideBend, .sideLegRaise: [.front, .back, .high, .low]
        case .torsoTwist: [.front, .high, .threeQuarter]
        case .bicepsCurl, .frontRaise: [.front, .side, .sideLeft, .threeQuarter, .high, .low]
        case .jumpingJack, .lateralRaise: [.front, .threeQuarter, .high, .low]
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
        }
    }

    private func jumpingJack(_ depth: Double, _ body: Body) -> Posture {
        let stance = mix(0.05, 0.2, depth) * body.height
        var posture = Posture.standing(body, halfStance: stance)
        let air = 4 * depth * (1 - depth)
        let hop = 0.04 * body.height * air
        posture.pelvis.y += hop
        posture.bothSides { side in
            side.ankle.y += hop
            side.toesDown = degrees(22) * air
            side.raise = mix(degrees(8), degrees(163), depth)
            side.plane = degrees(4)
            side.elbow = degrees(14 + 10 * air)
            side.bend = Vector(0, 1, 0.3)
            side.kneePole = Vector(0.35, 0, 1)
        }
        return posture
    }

    private func squat(_ depth: Double, _ body: Body) -> Posture {
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
            side.raise = mix(degrees(7), degrees(124), depth)
            side.plane = mix(degrees(20), degrees(85), min(depth * 2, 1))
            side.elbow = degrees(12)
        }
        return posture
    }

    private func curl(_ depth: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body, halfStance: 0.075 * body.height)
        posture.bothSides { side in
            side.raise = degrees(9 + 10 * depth)
            side.plane = degrees(40 + 25 * depth)
            side.elbow = mix(degrees(10), degrees(138), depth)
            side.bend = Vector(0.1, 0, 1)
        }
        return posture
    }

    private func raise(_ depth: Double, _ body: Body, plane: Double) -> Posture {
        var posture = Posture.standing(body, halfStance: 0.075 * body.height)
        posture.lean = degrees(-2) * depth
        posture.bothSides { side in
            side.raise = mix(degrees(9), degrees(92), depth)
            side.plane = plane
            side.elbow = degrees(10)
            side.bend = Vector(0, 0.3, 1)
        }
        return posture
    }
}

/// A fault in a repetition, for the coach to find.
package enum MovementFault: String, CaseIterable, Codable, Sendable {
    /// The far end is not reached.
    case shallow
    /// The start posture is not reached again.
    case notLockedOut = "not_locked_out"
    /// The knees cave in on the way down.
    case kneesIn = "knees_in"
    /// The hips hang below the line from shoulders to feet.
    case hipsSagging = "hips_sagging"
    /// The right side moves little more than half as far as the left.
    case uneven
    /// The repetition takes less than half the usual time.
    case tooFast = "too_fast"

    /// The movements the fault can be rendered in.
    package var movements: [Movement] {
        switch self {
        case .shallow: [.squat, .pushUp, .bicepsCurl, .frontRaise, .lateralRaise, .lunge]
        case .notLockedOut: [.squat, .pushUp, .bicepsCurl]
        case .kneesIn: [.squat]
        case .hipsSagging: [.pushUp]
        case .uneven: [.frontRaise, .lateralRaise, .shoulderPress]
        // In recordings, push-ups of half a second are labelled correct.
        case .tooFast: [.squat, .bicepsCurl, .frontRaise, .lateralRaise]
        }
    }

    /// The views that show the fault in a movement. Joint angles show where their plane faces the camera; the depth of
    /// a squat shows from everywhere by the height of the hips.
    package func views(in movement: Movement) -> [SynthCamera.View] {
        let facing: [SynthCamera.View] = [.front, .threeQuarter, .high, .low]
        switch (self, movement) {
        case (.kneesIn, _), (.uneven, _): return facing
        case (.shallow, .lateralRaise): return [.front, .high, .low]
        case (.shallow, .squat), (.hipsSagging, _), (.tooFast, _): return SynthCamera.View.allCases
        case (.shallow, _), (.notLockedOut, _): return [.side, .sideLeft]
        }
    }
}

extension Movement {
    /// The part of the range that a repetition with faults covers, from rest to far end, 0...1.
    func reach(_ faults: Set<MovementFault>, depth: Double) -> (rest: Double, far: Double) {
        // Joints bend fastest near the straight posture, so a small part of the range is a large part of the angle.
        let (rest, far): (Double, Double) =
            switch self {
            case .squat: (0.16, 0.4)
            case .pushUp: (0.22, 0.34)
            case .lunge: (0, 1)
            default: (0.38, 0.6)
            }
        return (faults.contains(.notLockedOut) ? rest : 0, faults.contains(.shallow) ? depth * far : depth)
    }

    /// The posture with faults; depth as in `posture(depth:body:)`.
    func posture(depth: Double, body: Body, faults: Set<MovementFault>) -> Posture {
        var posture = posture(depth: depth, body: body)
        if faults.contains(.shallow), self == .lunge {
            // The step has full length; only the hips stay high.
            posture.pelvis.y += 0.13 * body.height * depth
        }
        if faults.contains(.kneesIn) {
            posture.bothSides { $0.kneePole = mix($0.kneePole, Vector(-0.75, 0, 1), min(1, 1.5 * depth)) }
        }
        if faults.contains(.uneven) {
            posture.right = self.posture(depth: 0.55 * depth, body: body).right
        }
        if faults.contains(.hipsSagging) {
            // The shoulders stay in place, so the trunk rises more steeply from the lower hips.
            let drop = 0.075 * body.height
            posture.pelvis.y -= drop
            let rise = cosine(posture.lean) + drop / body.trunk
            posture.lean = arcTangent((max(0, 1 - rise * rise)).squareRoot(), rise)
        }
        return posture
    }
}
