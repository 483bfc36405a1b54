import Foundation
package import KinemaCore

/// How a fault is found: something measured in a phase, compared with what is expected.
package struct FaultRule: Sendable, Hashable {
    /// The part of a repetition that is judged.
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

    /// The quantity that is compared.
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
    /// The quantity that is compared.
    package var quantity: Quantity
    /// The expected value.
    package var expected: Double
    /// The allowed difference.
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

    /// How far a value is beyond the expected one on the wrong side; 0 or less is right.
    func excess(of value: Double) -> Double {
        max(allowsLess ? -.infinity : expected - value, allowsMore ? -.infinity : value - expected)
    }

    /// Whether it can be judged from a view, nil where that is not known.
    func isShown(in view: BodyView?) -> Bool {
        view.map { views.contains($0) && $0 != plane?.views.edgeOn } ?? true
    }
}
