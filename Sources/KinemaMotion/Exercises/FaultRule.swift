import Foundation
package import KinemaCore

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
