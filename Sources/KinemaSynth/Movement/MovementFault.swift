package enum MovementFault: String, CaseIterable, Codable, Sendable {
    /// The far end is not reached.
    case shallow
    /// The start posture is not reached again.
    case notLockedOut = "not_locked_out"
    /// The knees cave in during the descent.
    case kneesIn = "knees_in"
    /// The hips hang below the line from shoulders to feet.
    case hipsSagging = "hips_sagging"
    /// The right side moves little more than half as far as the left.
    case uneven
    /// The repetition takes less than half the usual time.
    case tooFast = "too_fast"

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

    /// The views that show the fault: those that face a joint angle's plane, and all for a squat's depth.
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
        if faults.contains(.uneven) { posture.right = self.posture(depth: 0.55 * depth, body: body).right }
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
