import Foundation
package import KinemaCore

package struct Fault: Sendable, Hashable {
    package var code: FaultCode
    /// The joint where the fault is worst; nil for a fault of the whole movement, such as its tempo.
    package var joint: JointKey?
    package var joints: [JointKey]
    /// The phase in which it appeared, by the exercise's own name.
    package var phase: String
    /// The measured and the expected value, and the tolerated difference, all in the unit.
    package var measured, expected, tolerance: Double
    package var unit: Unit
    /// The difference from the demonstration, in words for people, such as "right knee 14 degrees less bent at the
    /// turn".
    package var words: String?
    /// The measure of a shown exercise that differs; nil for tempo.
    var measure: BodyMeasure?
    /// For words in other languages: the measure that differs, without its side; and the side of a measure or of the
    /// smaller range: left, right or both.
    package var measureName: String?, side: String?

    package enum Unit: String, Sendable, Hashable, Codable {
        case degrees
        /// A length, in lengths of the person's trunk.
        case torsoLengths = "torso lengths"
        case share
        case seconds

        /// The number with a readable precision, without the unit's name.
        func text(_ value: Double) -> String { self == .degrees ? "\(Int(clamping: value))°" : value.text(2) }
    }
}

extension [JointKey] {
    package static let shoulders: [JointKey] = [.leftShoulder, .rightShoulder]
    package static let elbows: [JointKey] = [.leftElbow, .rightElbow]
    package static let wrists: [JointKey] = [.leftWrist, .rightWrist]
    package static let hips: [JointKey] = [.leftHip, .rightHip]
    package static let knees: [JointKey] = [.leftKnee, .rightKnee]
    package static let ankles: [JointKey] = [.leftAnkle, .rightAnkle]
    package static let trunk: [JointKey] = shoulders + hips
}

package enum FaultCode: String, Sendable, Hashable, CaseIterable, Codable {
    /// The movement does not go far enough.
    case shallow
    /// The movement does not return to the fully extended resting posture.
    case notLockedOut = "not_locked_out"
    case kneesIn = "knees_in"
    /// The hips hang below the line from shoulders to feet.
    case hipsSagging = "hips_sagging"
    /// The hips stick out above that line.
    case hipsHigh = "hips_high"
    /// The trunk leans farther than it should.
    case leaning
    /// The trunk swings to help the arms.
    case swinging
    /// One side goes farther than the other.
    case uneven
    /// The movement is faster than can be controlled.
    case tooFast = "too_fast"
    /// The elbows bend where the arms should stay straight.
    case armsBent = "arms_bent"
    /// The elbows leave the trunk's side.
    case elbowsDrifting = "elbows_drifting"
    /// The legs stay too close together.
    case legsNarrow = "legs_narrow"
    /// The movement is slower than it should be.
    case tooSlow = "too_slow"
    /// A measure differs from the demonstration.
    case different
    /// A fault that was taught by examples.
    case taught
}

/// A rule for a fault: a quantity in a phase, compared with an expected value.
package struct FaultRule: Sendable, Hashable {
    /// The part of a repetition that is judged.
    package enum Phase: String, Sendable, Hashable, CaseIterable, Codable {
        case rest, far, whole
    }

    /// The plane of the body that contains an angle.
    ///
    /// A picture shows an angle correctly only when the camera faces the plane. Estimated depth is off by tens of
    /// degrees, so an angle seen along the plane is not judged.
    package enum Plane: String, Sendable, Hashable, CaseIterable, Codable {
        /// The plane between left and right: squats, push-ups and curls; seen from the side.
        case sagittal
        /// The plane between front and back: raises to the side; seen from the front.
        case frontal

        /// The view at right angles to the plane, and the one along it.
        var views: (faceOn: BodyView, edgeOn: BodyView) { self == .sagittal ? (.side, .front) : (.front, .side) }
    }

    /// Which side of the expected value is also correct.
    package enum Bound: String, Sendable, Hashable { case atLeast, atMost, exactly }

    package enum Quantity: Sendable, Hashable {
        case measure(BodyMeasure, BodyTrait.Statistic)
        /// The difference between left and right in the phase.
        case sideDifference(BodyMeasure)
        /// The duration of the repetition, seconds.
        case duration
    }

    package var code: FaultCode
    /// The joints to judge and to show in red; none for faults of the whole movement, such as tempo.
    package var joints: [JointKey]
    package var phase: Phase
    package var quantity: Quantity
    package var expected: Double
    package var tolerance: Double
    package var bound: Bound
    package var views: Set<BodyView>
    /// The plane of the angle; nil for quantities that every view shows, such as heights.
    package var plane: Plane?

    var unit: Fault.Unit {
        switch quantity {
        case .measure(let measure, _), .sideDifference(let measure): measure.unit
        case .duration: .seconds
        }
    }

    func isBroken(by value: Double) -> Bool { excess(of: value) > tolerance }

    /// How far a value exceeds the expected one on the wrong side; 0 or less is correct.
    func excess(of value: Double) -> Double {
        max(bound == .atMost ? -.infinity : expected - value, bound == .atLeast ? -.infinity : value - expected)
    }

    /// Whether it can be judged from a view; nil is unknown.
    func isShown(in view: BodyView?) -> Bool {
        view.map { views.contains($0) && $0 != plane?.views.edgeOn } ?? true
    }
}

/// Looks for one fault in a stretch of readings.
struct FaultFinder {
    let rule: FaultRule
    let window: [BodyReading]
    /// The duration of the repetition, seconds; nil before its end.
    let duration: TimeInterval?
    let view: BodyView?

    /// The confidence below which a measure is not judged, 0...1: one half, as throughout Vision's samples.
    private static let judged: Float = 0.5
    /// The share of readings that must reach that confidence, so that the median does.
    private static let enough = 0.5

    /// The fault, in the phase of that name; nil if there is none or too little is seen.
    func fault(phase: String) -> Fault? {
        guard let measured, rule.isBroken(by: measured) else { return nil }
        return Fault(
            code: rule.code, joint: worst, joints: rule.joints, phase: phase, measured: measured,
            expected: rule.expected, tolerance: rule.tolerance, unit: rule.unit)
    }

    private var measured: Double? {
        guard rule.isShown(in: view) else { return nil }
        switch rule.quantity {
        case .duration: return duration
        case .measure(let measure, let statistic):
            let seen = window.filter { $0.confidence(of: measure) >= Self.judged }
            guard share(of: measure) >= Self.enough else { return nil }
            return value { seen.value(measure, statistic, inPicture: $0) }
        case .sideDifference(let measure):
            return value { inPicture in sides(of: measure, inPicture: inPicture).map { abs($0.left - $0.right) } }
        }
    }

    /// The share of the readings in which the joints of a measure are seen well.
    private func share(of measure: BodyMeasure) -> Double {
        let count = window.count { $0.confidence(of: measure) >= Self.judged }
        return window.isEmpty ? 0 : Double(count) / Double(window.count)
    }

    /// The value in space, in the picture, or the milder of the two, depending on the view of the rule's plane.
    private func value(_ find: (_ inPicture: Bool) -> Double?) -> Double? {
        guard let plane = rule.plane, let view, let seen = find(true) else { return find(false) }
        if view == plane.views.faceOn { return seen }
        return [seen, find(false)].compactMap(\.self).min { rule.excess(of: $0) < rule.excess(of: $1) }
    }

    private func sides(of measure: BodyMeasure, inPicture: Bool = false) -> (left: Double, right: Double)? {
        guard let sides = measure.sides, min(share(of: sides.left), share(of: sides.right)) >= Self.enough,
            let left = window.value(sides.left, .middle, inPicture: inPicture),
            let right = window.value(sides.right, .middle, inPicture: inPicture)
        else { return nil }
        return (left, right)
    }

    /// The joint on the side that is farther from the expected value; nil if there is none.
    private var worst: JointKey? {
        let first = rule.joints.first
        guard rule.joints.count > 1 else { return first }
        switch rule.quantity {
        case .duration: return first
        case .sideDifference(let measure), .measure(let measure, _):
            guard let (left, right) = sides(of: measure) else { return first }
            let isLeft = rule.bound == .atLeast ? left < right : left > right
            return rule.joints.first { $0.rawValue.hasPrefix(isLeft ? "left" : "right") } ?? first
        }
    }
}
