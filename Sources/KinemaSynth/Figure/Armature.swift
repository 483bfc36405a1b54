internal import KinemaCore

/// All joints of a body in the world, by forward kinematics from build, posture and placement.
struct Armature: Sendable {
    private(set) var joints: [JointKey: Vector] = [:]
    private(set) var chest = Rotation.none
    private(set) var pelvis = Rotation.none
    private(set) var head = Rotation.none
    private(set) var headCenter = Vector.zero
    private(set) var leftHand = Vector.zero
    private(set) var rightHand = Vector.zero
    private(set) var leftFoot = Rotation.none
    private(set) var rightFoot = Rotation.none

    var root: Vector { self[.root] }

    subscript(key: JointKey) -> Vector { joints[key] ?? .zero }

    init(body: Body, posture: Posture, placement: Placement) {
        let frame = Rotation.yaw(placement.heading)
        func world(_ local: Vector) -> Vector { placement.position + frame * local }
        pelvis = frame * Rotation.pitch(posture.lean) * Rotation.roll(posture.sideLean)
        chest = pelvis * Rotation.yaw(posture.twist) * Rotation.pitch(posture.spine)
        let root = world(posture.pelvis)
        // The trunk bends a little below its middle.
        let neck = root + pelvis.y * (0.4 * body.trunk) + chest.y * (0.6 * body.trunk)
        joints[.root] = root
        joints[.neck] = neck
        poseHead(body: body, posture: posture, neck: neck)
        for isLeft in [true, false] {
            let side = isLeft ? posture.left : posture.right
            poseArm(side, isLeft: isLeft, body: body, frame: frame, neck: neck, world: world)
            poseLeg(side, isLeft: isLeft, body: body, frame: frame, root: root, world: world)
        }
    }

    private mutating func poseHead(body: Body, posture: Posture, neck: Vector) {
        let h = body.height
        head = chest * Rotation.yaw(posture.headTurn) * Rotation.pitch(posture.nod)
        headCenter = neck + chest.y * (0.05 * h) + head * Vector(0, 0.063 * h, 0.014 * h)
        joints[.nose] = headCenter + head * Vector(0, -0.012 * h, 0.062 * h)
        for (sign, eye, inner, outer, ear, mouth) in [
            (1.0, JointKey.leftEye, JointKey.leftEyeInner, JointKey.leftEyeOuter, JointKey.leftEar, JointKey.leftMouth),
            (-1.0, .rightEye, .rightEyeInner, .rightEyeOuter, .rightEar, .rightMouth),
        ] {
            joints[eye] = headCenter + head * Vector(sign * 0.0185 * h, 0.006 * h, 0.048 * h)
            joints[inner] = headCenter + head * Vector(sign * 0.011 * h, 0.006 * h, 0.05 * h)
            joints[outer] = headCenter + head * Vector(sign * 0.026 * h, 0.006 * h, 0.044 * h)
            joints[ear] = headCenter + head * Vector(sign * 0.044 * h, 0, -0.003 * h)
            joints[mouth] = headCenter + head * Vector(sign * 0.014 * h, -0.034 * h, 0.046 * h)
        }
    }

    private mutating func poseArm(
        _ side: Posture.Side, isLeft: Bool, body: Body, frame: Rotation, neck: Vector, world: (Vector) -> Vector
    ) {
        let sign = isLeft ? 1.0 : -1.0
        func outward(_ v: Vector) -> Vector { Vector(sign * v.x, v.y, v.z) }
        // The collarbone lifts the shoulder as the arm rises above the horizontal.
        let lift = 0.03 * body.height * max(0, (side.raise - degrees(80)) / degrees(100)) * (1 - side.reach)
        let shoulder = neck + chest * outward(Vector(body.shoulderHalfWidth - 0.3 * lift, lift, 0))
        let lifted = Vector(cosine(side.plane), 0, sine(side.plane))
        let upper = (chest * outward(Vector(0, -1, 0) * cosine(side.raise) + lifted * sine(side.raise))).unit
        var elbow = shoulder + upper * body.upperArm
        let bend = (chest * outward(side.bend)).perpendicular(to: upper)
        var wrist = elbow + (upper * cosine(side.elbow) + bend * sine(side.elbow)) * body.forearm
        if side.reach > 0 {
            let target = mix(wrist, world(outward(side.grip)), side.reach)
            let pole = mix(elbow - shoulder, frame * outward(side.elbowPole), side.reach)
            (elbow, wrist) = TwoBoneIK(first: body.upperArm, second: body.forearm)
                .solve(from: shoulder, to: target, pole: pole)
        }
        let hand = mix((wrist - elbow).unit, frame.z, side.palm).unit
        if isLeft { leftHand = hand } else { rightHand = hand }
        let across = (chest.x * -sign).perpendicular(to: hand)
        joints[isLeft ? .leftShoulder : .rightShoulder] = shoulder
        joints[isLeft ? .leftElbow : .rightElbow] = elbow
        joints[isLeft ? .leftWrist : .rightWrist] = wrist
        joints[isLeft ? .leftIndexFinger : .rightIndexFinger] =
            wrist + hand * (0.055 * body.height) + across * (0.012 * body.height)
        joints[isLeft ? .leftLittleFinger : .rightLittleFinger] =
            wrist + hand * (0.05 * body.height) - across * (0.014 * body.height)
        joints[isLeft ? .leftThumb : .rightThumb] =
            wrist + hand * (0.035 * body.height) + across * (0.022 * body.height)
    }

    private mutating func poseLeg(
        _ side: Posture.Side, isLeft: Bool, body: Body, frame: Rotation, root: Vector, world: (Vector) -> Vector
    ) {
        let sign = isLeft ? 1.0 : -1.0
        func outward(_ v: Vector) -> Vector { Vector(sign * v.x, v.y, v.z) }
        let hip = root + pelvis.x * (sign * body.hipHalfWidth)
        let (knee, ankle) = TwoBoneIK(first: body.thigh, second: body.shank)
            .solve(from: hip, to: world(outward(side.ankle)), pole: frame * outward(side.kneePole))
        let foot = frame * Rotation.yaw(sign * side.toesOut) * Rotation.pitch(side.toesDown)
        if isLeft { leftFoot = foot } else { rightFoot = foot }
        joints[isLeft ? .leftHip : .rightHip] = hip
        joints[isLeft ? .leftKnee : .rightKnee] = knee
        joints[isLeft ? .leftAnkle : .rightAnkle] = ankle
        joints[isLeft ? .leftHeel : .rightHeel] = ankle + foot * body.heel
        joints[isLeft ? .leftFootTip : .rightFootTip] = ankle + foot * body.footTip
    }
}

extension Armature {
    /// The position of a bag in a hand.
    func grip(isLeft: Bool) -> Vector {
        let index = self[isLeft ? .leftIndexFinger : .rightIndexFinger]
        let little = self[isLeft ? .leftLittleFinger : .rightLittleFinger]
        let hand = isLeft ? leftHand : rightHand
        return mix(index, little, 0.5) + hand * 0.03
    }
}

struct TwoBoneIK {
    var first, second: Double

    /// Positions the hinge and the end so that the end comes as close to the target as the bones allow.
    func solve(from start: Vector, to target: Vector, pole: Vector) -> (hinge: Vector, end: Vector) {
        let displacement = target - start
        let reach = min(max(displacement.length, abs(first - second) + 1e-6), first + second - 1e-9)
        let direction = displacement.unit
        // The law of cosines gives the hinge's distance along the direction and its offset from it.
        let along = (first * first - second * second + reach * reach) / (2 * reach)
        let offset = max(first * first - along * along, 0).squareRoot()
        let hinge = start + direction * along + pole.perpendicular(to: direction) * offset
        return (hinge, start + direction * reach)
    }
}
