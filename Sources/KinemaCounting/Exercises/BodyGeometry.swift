import Foundation
import KinemaCore

/// The thirteen joints of `BodyJoints` in space, x to the picture's right, y up, z towards the camera; without depth
/// from the model, all lie in the image plane.
struct BodyGeometry {
    let points: [SIMD3<Float>]
    let flat: [SIMD3<Float>]
    let confidences: [Float]
    let hasDepth: Bool

    init(_ pose: Pose, flat: BodyJoints) {
        confidences = flat.confidences
        let space = BodyJoints.keys.compactMap { pose.keypoints3D[$0]?.position }
        hasDepth = space.count == BodyJoints.keys.count
        self.flat = flat.points.map { SIMD3($0.x, $0.y, 0) }
        points = hasDepth ? space : self.flat
    }

    /// The joints relative to the midpoint of the hips, in torso lengths.
    var joints: [SIMD3<Float>] {
        let hip = middle(BodyJoints.hips)
        let length = max((middle(BodyJoints.shoulders) - hip).length, 1e-4)
        return points.map { ($0 - hip) / length }
    }

    private typealias Angle = (value: Float, seen: Float, trust: Float)

    private func middle(_ pair: (Int, Int)) -> SIMD3<Float> { (points[pair.0] + points[pair.1]) / 2 }
    private func trust(_ joints: Int...) -> Float { joints.map { confidences[$0] }.min() ?? 0 }

    /// Angles of the limbs, for each side and together.
    func measureLimbs(_ reading: inout BodyReading) {
        typealias Triple = ((Int, Int), (Int, Int), (Int, Int))
        let limbs: [(BodyMeasure, Triple)] = [
            (.knee, (BodyJoints.hips, BodyJoints.knees, BodyJoints.ankles)),
            (.hip, (BodyJoints.shoulders, BodyJoints.hips, BodyJoints.knees)),
            (.elbow, (BodyJoints.shoulders, BodyJoints.elbows, BodyJoints.wrists)),
            (.arm, (BodyJoints.hips, BodyJoints.shoulders, BodyJoints.elbows)),
        ]
        for (measure, (from, at, to)) in limbs {
            put(measure, angle(from.0, at.0, to.0), angle(from.1, at.1, to.1), &reading)
        }
        measureSplit(&reading)
    }

    private func measureSplit(_ reading: inout BodyReading) {
        let difference = abs(reading[.leftHip] - reading[.rightHip])
        reading.set(.hipSplit, difference, min(reading.confidence(of: .leftHip), reading.confidence(of: .rightHip)))
    }

    /// Sets a measure's sides and their mean, weighted by the square of the confidence.
    private func put(_ measure: BodyMeasure, _ left: Angle, _ right: Angle, _ reading: inout BodyReading) {
        if let sides = measure.sides {
            reading.set(sides.left, left.value, inPicture: left.seen, left.trust)
            reading.set(sides.right, right.value, inPicture: right.seen, right.trust)
        }
        let (l, r) = (left.trust * left.trust + 1e-4, right.trust * right.trust + 1e-4)
        reading.set(
            measure, (left.value * l + right.value * r) / (l + r),
            inPicture: (left.seen * l + right.seen * r) / (l + r),
            max(left.trust, right.trust))
    }

    /// Measures the trunk's direction, and the other measures relative to it.
    func measureTrunk(_ reading: inout BodyReading) {
        let shoulder = middle(BodyJoints.shoulders)
        let hip = middle(BodyJoints.hips)
        let length = (shoulder - hip).length
        guard length > 1e-4 else { return }
        let up = (shoulder - hip) / length
        let sure = min(max(confidences[1], confidences[2]), max(confidences[7], confidences[8]))
        let feet = min(sure, max(confidences[11], confidences[12]))
        reading.set(.trunk, SIMD3(0, 1, 0).degrees(to: up) ?? .nan, sure)
        let wide = points[1] - points[2] + points[7] - points[8]
        // From the right to the left side, at right angles to the trunk.
        let across = wide - up * (wide * up).sum()
        if hasDepth, across.length > 1e-4 {
            let left = across / across.length
            measureFront(left: left, up: up, length: length, sure: sure, &reading)
        } else if !hasDepth {
            // Shoulders and hips show their full width from the front, and none from the side.
            let width = (wide / 2).length / length / Self.usualWidth
            reading.set(.view, acos(min(1, width)) * 180 / .pi, sure)
        }
        reading.set(.legSpread, (points[11] - hip).degrees(to: points[12] - hip) ?? .nan, feet)
        measureKnees(&reading)
        measureSegments(wide: wide, up: up, length: length, sure: sure, &reading)
        reading.set(.bodyLine, line(through: points), inPicture: line(through: flat), feet)
        put(
            .handHeight, ((points[5].y - points[1].y) / length, .nan, trust(1, 5)),
            ((points[6].y - points[2].y) / length, .nan, trust(2, 6)), &reading)
    }

    private func measureFront(
        left: SIMD3<Float>, up: SIMD3<Float>, length: Float, sure: Float, _ reading: inout BodyReading
    ) {
        let front = left.cross(up)
        reading.set(.chestUp, front.y, sure)
        reading.set(.view, asin(min(1, abs(left.z))) * 180 / .pi, sure)
        let (one, other) = ((points[3] - points[1]).unit, (points[4] - points[2]).unit)
        let (l, r) = (trust(1, 3), trust(2, 4))
        put(.armSideways, ((one * left).sum(), .nan, l), (-(other * left).sum(), .nan, r), &reading)
        put(.armForward, ((one * front).sum(), .nan, l), ((other * front).sum(), .nan, r), &reading)
        // The forward axis is level when standing but not when lying, so a stride is meaningless there.
        let gap = points[11] - points[12]
        let level = SIMD3(front.x, 0, front.z)
        let ahead = level.length > 0.3 ? abs((gap * level.unit).sum()) / length : 0
        reading.set(.stride, ahead, trust(11, 12))
    }

    /// Measures the visible directions of limbs and trunk; without depth, those in the image plane.
    private func measureSegments(
        wide: SIMD3<Float>, up: SIMD3<Float>, length: Float, sure: Float, _ reading: inout BodyReading
    ) {
        let (shoulder, nose) = (middle(BodyJoints.shoulders), points[BodyJoints.nose])
        reading.set(.head, (nose - shoulder).degrees(to: up) ?? .nan, min(sure, confidences[0]))
        reading.set(.ankleGap, (points[11] - points[12]).length / length, trust(11, 12))
        reading.set(.handGap, (points[5] - points[6]).length / length, trust(5, 6))
        let across = wide - up * (wide * up).sum()
        var (left, front): (SIMD3<Float>?, SIMD3<Float>?) = (across.unit, across.unit.cross(up))
        if !hasDepth {
            // The axis in the picture perpendicular to the trunk: the body's left seen from the front, its facing
            // direction seen from the side.
            let axis = SIMD3(up.y, -up.x, 0)
            let isSide = reading[.view] > 45
            let sign: Float = ((isSide ? nose - shoulder : across) * axis).sum() < 0 ? -1 : 1
            (left, front) = isSide ? (nil, axis * sign) : (axis * sign, nil)
        }
        func set(_ measure: BodyMeasure, _ from: Int, _ to: Int, _ axis: SIMD3<Float>) {
            let share = ((points[to] - points[from]).unit * axis).sum()
            reading.set(measure, asin(max(-1, min(1, share))) * 180 / .pi, trust(from, to))
        }
        func setLean(_ measure: BodyMeasure, _ axis: SIMD3<Float>) {
            let share = (up * SIMD3(axis.x, 0, axis.z).unit).sum()
            reading.set(measure, asin(max(-1, min(1, share))) * 180 / .pi, sure)
        }
        if let left {
            set(.leftArmOut, 1, 3, left)
            set(.rightArmOut, 2, 4, -left)
            set(.leftThighOut, 7, 9, left)
            set(.rightThighOut, 8, 10, -left)
            setLean(.leanSideways, left)
        }
        if let front {
            set(.leftArmAhead, 1, 3, front)
            set(.rightArmAhead, 2, 4, front)
            set(.leftThighAhead, 7, 9, front)
            set(.rightThighAhead, 8, 10, front)
            set(.leftShankAhead, 9, 11, front)
            set(.rightShankAhead, 10, 12, front)
            setLean(.leanForward, hasDepth ? across.unit.cross(SIMD3(0, 1, 0)) : front)
        }
        guard hasDepth else { return }
        let (shoulders, hips) = (points[1] - points[2], points[7] - points[8])
        let (a, b) = (shoulders - up * (shoulders * up).sum(), hips - up * (hips * up).sum())
        let sign: Float = (b.cross(a) * up).sum() < 0 ? -1 : 1
        reading.set(.twist, (a.degrees(to: b) ?? .nan) * sign, across.length > 0 ? sure : 0)
    }

    private func measureKnees(_ reading: inout BodyReading) {
        // Knees of straight legs are midway between hips and ankles.
        let straight = ((points[7] - points[8]).length + (points[11] - points[12]).length) / 2
        guard straight > 1e-3 else { return }
        reading.set(.kneeGap, (points[9] - points[10]).length / straight, trust(7, 8, 9, 10, 11, 12))
    }

    /// The angle at the hips between shoulders and ankles, above 180 when the hips hang.
    private func line(through points: [SIMD3<Float>]) -> Float {
        func middle(_ pair: (Int, Int)) -> SIMD3<Float> { (points[pair.0] + points[pair.1]) / 2 }
        let (shoulder, hip, ankle) = (middle(BodyJoints.shoulders), middle(BodyJoints.hips), middle(BodyJoints.ankles))
        guard let angle = (shoulder - hip).degrees(to: ankle - hip) else { return .nan }
        // Whether the hip is below the line from shoulder to ankle.
        let line = ankle - shoulder
        let share = ((hip - shoulder) * line).sum() / max(1e-6, (line * line).sum())
        let isLower = hip.y < shoulder.y + line.y * share
        return isLower ? 360 - angle : angle
    }

    private func angle(_ from: Int, _ at: Int, _ to: Int) -> Angle {
        func degrees(_ points: [SIMD3<Float>]) -> Float {
            (points[from] - points[at]).degrees(to: points[to] - points[at]) ?? .nan
        }
        return (degrees(points), degrees(flat), trust(from, at, to))
    }

    /// The mean width of shoulders and hips in trunk lengths: 0.2 and 0.12 of the body's height, against 0.288 (Drillis
    /// and Contini, in Winter, Biomechanics of Human Movement).
    private static let usualWidth: Float = 0.555
}

extension SIMD3<Float> {
    var length: Float { (self * self).sum().squareRoot() }
    var unit: SIMD3<Float> { length > 1e-6 ? self / length : .zero }

    func cross(_ other: SIMD3<Float>) -> SIMD3<Float> {
        SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// The angle to another direction in degrees; nil when either has no length.
    package func degrees(to other: SIMD3<Float>) -> Float? {
        let scale = length * other.length
        guard scale > 1e-9 else { return nil }
        return acos(Swift.min(1, Swift.max(-1, (self * other).sum() / scale))) * 180 / .pi
    }
}
