/// A movement that is measured in metres, seconds and degrees, performed from its first to its last second without
/// blending into another, so that its truth is exact.
enum MovementTest: Sendable {
    case gait(Stride, seconds: Double)
    case jumps([CountermovementJump])
    /// Standing up from a stool and sitting down again; the seconds of each rise.
    case sitToStand(rises: [Double])
    /// Elbow, shoulder, knee, hip and trunk, one after the other, through the angles given; on the left or right side.
    case ranges([Range], isLeft: Bool)
    case rest(seconds: Double)
    /// Standing still and seen from all around, as if on a turntable.
    case turntable(seconds: Double)

    /// One joint bent and straightened again.
    struct Range: Sendable {
        enum Joint: String, CaseIterable, Sendable { case elbow, shoulder, knee, hip, trunk }
        let joint: Joint
        /// The flexion at the far end, in radians.
        let far: Double

        static let seconds = 2.6
    }

    private static let seated = 0.8, standing = 0.7, sinking = 1.2

    /// In seconds.
    var duration: Double {
        switch self {
        case .gait(_, let seconds), .rest(let seconds), .turntable(let seconds): seconds
        case .jumps(let jumps): jumps.reduce(0) { $0 + $1.duration }
        case .sitToStand(let rises): Self.seated + rises.reduce(0) { $0 + Self.cycle($1) }
        case .ranges(let ranges, _): 0.6 + Double(ranges.count) * Range.seconds
        }
    }

    private static func cycle(_ rise: Double) -> Double { rise + standing + sinking + seated }

    /// The distance that the body has moved ahead, in metres.
    func travel(at time: Double) -> Double {
        if case .gait(let stride, _) = self { stride.speed * time } else { 0 }
    }

    /// The angle that the body has turned to its left, in radians.
    func turn(at time: Double) -> Double {
        if case .turntable(let seconds) = self { 2 * Double.pi * time / seconds } else { 0 }
    }

    func posture(at time: Double, body: Body) -> Posture {
        switch self {
        case .gait(let stride, _): return stride.posture(at: time)
        case .rest, .turntable: return .standing(body)
        case .jumps(let jumps):
            var start = 0.0
            for jump in jumps.dropLast() {
                if time < start + jump.duration { return jump.posture(at: time - start) }
                start += jump.duration
            }
            return jumps.last?.posture(at: time - start) ?? .standing(body)
        case .sitToStand(let rises): return Activity.sitting(sinking(at: time, rises), body)
        case .ranges(let ranges, let isLeft):
            let index = Int((max(time - 0.3, 0) / Range.seconds).rounded(.down))
            guard ranges.indices.contains(index) else { return .standing(body) }
            let part = max(time - 0.3, 0) / Range.seconds - Double(index)
            var posture = ranges[index].posture(0.5 - 0.5 * cosine(2 * Double.pi * part), body)
            if isLeft { posture.mirror() }
            return posture
        }
    }

    /// 0 when standing, 1 on the stool.
    private func sinking(at time: Double, _ rises: [Double]) -> Double {
        var start = Self.seated
        for rise in rises {
            let since = time - start
            if since < 0 { return 1 }
            if since < rise { return 1 - smoothstep(since / rise) }
            if since < rise + Self.standing { return 0 }
            if since < Self.cycle(rise) { return smoothstep((since - rise - Self.standing) / Self.sinking) }
            start += Self.cycle(rise)
        }
        return 1
    }

    /// The times of leaving the stool, standing, leaving that and being seated again, in seconds.
    var rises: [Truth.Measurement.Rise] {
        guard case .sitToStand(let rises) = self else { return [] }
        var start = Self.seated
        return rises.map { rise in
            defer { start += Self.cycle(rise) }
            let sink = start + rise + Self.standing
            return .init(start: start, standing: start + rise, sinking: sink, seated: sink + Self.sinking)
        }
    }

    var jumps: [Truth.Measurement.Jump] {
        guard case .jumps(let jumps) = self else { return [] }
        var start = 0.0
        return jumps.map { jump in
            defer { start += jump.duration }
            return .init(takeOff: start + jump.takeOff, landing: start + jump.landing, height: jump.height)
        }
    }
}

extension MovementTest.Range {
    /// The right side's joint bent by a part of its range, 0...1.
    fileprivate func posture(_ part: Double, _ body: Body) -> Posture {
        var posture = Posture.standing(body, halfStance: body.hipHalfWidth)
        posture.bothSides { side in
            side.plane = degrees(88)
            side.toesOut = 0
            side.kneePole = Vector(0, 0, 1)
        }
        let angle = far * part
        switch joint {
        case .elbow: posture.right.elbow = mix(posture.right.elbow, far, part)
        case .shoulder: posture.right.raise = mix(posture.right.raise, far, part)
        case .trunk:
            posture.lean = angle
            posture.pelvis.z = -0.07 * body.height * part
            posture.pelvis.y -= 0.012 * body.height * part
            posture.nod = -0.4 * angle
        case .knee: bend(&posture, hip: 0.06 * angle, knee: angle, body)
        case .hip: bend(&posture, hip: angle, knee: 0.9 * angle, body)
        }
        return posture
    }

    private func bend(_ posture: inout Posture, hip: Double, knee: Double, _ body: Body) {
        // The bent leg starts from the standing one, which is a little less than straight.
        let rest = posture.right.ankle
        let shank = hip - knee
        let thigh = Vector(0, -cosine(hip), sine(hip)) * body.thigh
        let bent = posture.pelvis + thigh + Vector(0, -cosine(shank), sine(shank)) * body.shank
        posture.right.ankle = mix(rest, Vector(rest.x, bent.y, bent.z), min(knee / degrees(15), 1))
        posture.right.toesDown = -shank * min(knee / degrees(15), 1)
    }
}

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
