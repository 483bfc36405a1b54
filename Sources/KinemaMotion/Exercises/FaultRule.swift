import Foundation
package import KinemaCore

/// What can be wrong with a repetition.
package enum FaultCode: String, Sendable, Hashable, CaseIterable, Codable {
    /// The movement does not go far enough.
    case shallow
    /// The movement does not come back to the stretched resting posture.
    case notLockedOut = "not_locked_out"
    /// The knees fall inward.
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
    /// The elbows bend where the arms should stay stretched.
    case armsBent = "arms_bent"
    /// The elbows leave the trunk's side.
    case elbowsDrifting = "elbows_drifting"
    /// The legs stay too close.
    case legsNarrow = "legs_narrow"
}

/// How a fault is found: something measured in a phase, compared with what is expected.
package struct FaultRule: Sendable, Hashable {
    /// Which part of a repetition is looked at.
    package enum Phase: String, Sendable, Hashable, CaseIterable, Codable {
        /// The resting posture, the far end, or everything.
        case rest, far, whole
    }

    /// The plane of the body in which an angle lies, which decides from where it can be judged.
    ///
    /// A picture shows an angle as it is when it is taken at right angles to the plane; what a model guesses of depth is
    /// off by tens of degrees, so that seen along the plane an angle is not judged at all.
    package enum Plane: String, Sendable, Hashable, CaseIterable, Codable {
        /// That which parts left from right: squats, push-ups and curls; seen from the side.
        case sagittal
        /// That which parts front from back: raises to the side; seen from the front.
        case frontal

        /// The view that shows the plane as it is, and the one along it.
        var views: (faceOn: BodyView, edgeOn: BodyView) { self == .sagittal ? (.side, .front) : (.front, .side) }
    }

    /// What is looked at.
    package enum Quantity: Sendable, Hashable {
        /// A measure's value in the phase.
        case measure(BodyMeasure, BodyTrait.Statistic)
        /// How far left and right are apart in the phase.
        case sideDifference(BodyMeasure)
        /// How long the repetition took, seconds.
        case duration
    }

    /// The fault.
    package var code: FaultCode
    /// The joints to look at, and to show red; none where the fault is of the whole movement, such as its tempo.
    package var joints: [JointKey]
    /// When it shows.
    package var phase: Phase
    /// What is measured.
    package var quantity: Quantity
    /// What is expected.
    package var expected: Double
    /// How far from it is still right.
    package var tolerance: Double
    /// Whether more than expected is right as well.
    package var allowsMore: Bool
    /// Whether less than expected is right as well.
    package var allowsLess: Bool
    /// From where it shows.
    package var views: Set<BodyView>
    /// The plane its angle lies in; nil for what shows from everywhere, such as heights and durations.
    package var plane: Plane?

    /// At least the expected value is right.
    package static func atLeast(
        _ expected: Double, tolerance: Double, _ quantity: Quantity, in phase: Phase, else code: FaultCode,
        joints: [JointKey] = [], views: Set<BodyView> = Set(BodyView.allCases), plane: Plane? = nil
    ) -> FaultRule {
        FaultRule(
            code: code, joints: joints, phase: phase, quantity: quantity, expected: expected, tolerance: tolerance,
            allowsMore: true, allowsLess: false, views: views, plane: plane)
    }

    /// At most the expected value is right.
    package static func atMost(
        _ expected: Double, tolerance: Double, _ quantity: Quantity, in phase: Phase, else code: FaultCode,
        joints: [JointKey] = [], views: Set<BodyView> = Set(BodyView.allCases), plane: Plane? = nil
    ) -> FaultRule {
        FaultRule(
            code: code, joints: joints, phase: phase, quantity: quantity, expected: expected, tolerance: tolerance,
            allowsMore: false, allowsLess: true, views: views, plane: plane)
    }

    /// What its numbers are in.
    var unit: Fault.Unit {
        switch quantity {
        case .measure(let measure, _), .sideDifference(let measure): measure.unit
        case .duration: .seconds
        }
    }

    /// Whether a value is a fault.
    func isBroken(by value: Double) -> Bool { excess(of: value) > tolerance }

    /// How far a value is on the wrong side of what is expected; 0 or less is right.
    func excess(of value: Double) -> Double {
        max(allowsLess ? -.infinity : expected - value, allowsMore ? -.infinity : value - expected)
    }

    /// Whether it can be judged from a view, nil where that is not known.
    func isShown(in view: BodyView?) -> Bool {
        view.map { views.contains($0) && $0 != plane?.views.edgeOn } ?? true
    }
}

/// A fault found in a repetition.
package struct Fault: Sendable, Hashable {
    /// What is wrong.
    package var code: FaultCode
    /// The joint where it is worst; nil where it is of no joint, such as a tempo.
    package var joint: JointKey?
    /// All joints concerned.
    package var joints: [JointKey]
    /// The phase in which it showed, by the exercise's own name.
    package var phase: String
    /// What was measured: degrees, torso lengths or seconds.
    package var measured: Double
    /// What is expected, in the same unit.
    package var expected: Double
    /// How far from it is still right.
    package var tolerance: Double
    /// The unit of the three numbers.
    package var unit: Unit

    /// What the numbers of a fault are in.
    package enum Unit: String, Sendable, Hashable, Codable {
        /// An angle.
        case degrees
        /// A length, in lengths of the person's trunk.
        case torsoLengths = "torso lengths"
        /// A part of something.
        case share
        /// A time.
        case seconds

        /// A number as precise as it is worth reading, without the unit's name.
        func text(_ value: Double) -> String { self == .degrees ? "\(Int(clamping: value))°" : value.text(2) }
    }
}

/// Joints that go together, for naming those a fault concerns.
extension [JointKey] {
    /// Both shoulders.
    package static let shoulders: [JointKey] = [.leftShoulder, .rightShoulder]
    /// Both elbows.
    package static let elbows: [JointKey] = [.leftElbow, .rightElbow]
    /// Both wrists.
    package static let wrists: [JointKey] = [.leftWrist, .rightWrist]
    /// Both hips.
    package static let hips: [JointKey] = [.leftHip, .rightHip]
    /// Both knees.
    package static let knees: [JointKey] = [.leftKnee, .rightKnee]
    /// Both ankles.
    package static let ankles: [JointKey] = [.leftAnkle, .rightAnkle]
    /// Both shoulders and both hips.
    package static let trunk: [JointKey] = shoulders + hips
}

/// Looks for one fault in a stretch of readings.
struct FaultFinder {
    let rule: FaultRule
    let window: [BodyReading]
    /// How long the repetition took, seconds; nil while it goes on.
    let duration: TimeInterval?
    /// From where the body is seen, where that is known.
    let view: BodyView?

    /// The confidence below which a measure is not judged, 0...1: half sure, as everywhere in Vision's samples.
    private static let judged: Float = 0.5
    /// The share of the readings that must be so sure: more than half, so that the middle one is.
    private static let enough = 0.5

    /// The fault, in the phase of that name; nil where there is none or too little is seen.
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
            guard let sides = measure.sides else { return nil }
            guard min(share(of: sides.left), share(of: sides.right)) >= Self.enough else { return nil }
            return value { inPicture in
                guard let left = window.value(sides.left, .middle, inPicture: inPicture),
                    let right = window.value(sides.right, .middle, inPicture: inPicture)
                else { return nil }
                return abs(left - right)
            }
        }
    }

    /// The share of the readings in which the joints of a measure are seen well.
    private func share(of measure: BodyMeasure) -> Double {
        let count = window.count { $0.confidence(of: measure) >= Self.judged }
        return window.isEmpty ? 0 : Double(count) / Double(window.count)
    }

    /// What is measured in space, in the picture, or the milder of both, as the view shows the rule's plane.
    private func value(_ find: (_ inPicture: Bool) -> Double?) -> Double? {
        guard let plane = rule.plane, let view, let seen = find(true) else { return find(false) }
        if view == plane.views.faceOn { return seen }
        return [seen, find(false)].compactMap(\.self).min { rule.excess(of: $0) < rule.excess(of: $1) }
    }

    private func sides(of measure: BodyMeasure) -> (left: Double, right: Double)? {
        guard let sides = measure.sides, min(share(of: sides.left), share(of: sides.right)) >= Self.enough,
            let left = window.value(sides.left, .middle), let right = window.value(sides.right, .middle)
        else { return nil }
        return (left, right)
    }

    /// Of the joints concerned the one on the side that is farther from what is expected; nil where none is.
    private var worst: JointKey? {
        let first = rule.joints.first
        guard rule.joints.count > 1 else { return first }
        switch rule.quantity {
        case .duration: return first
        case .sideDifference(let measure), .measure(let measure, _):
            guard let (left, right) = sides(of: measure) else { return first }
            let isLeft = rule.allowsMore ? left < right : left > right
            return rule.joints.first { $0.rawValue.hasPrefix(isLeft ? "left" : "right") } ?? first
        }
    }
}
