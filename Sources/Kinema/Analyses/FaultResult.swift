import KinemaCore
package import KinemaMotion

/// A fault in a repetition or a hold; the JSON of `kinema coach`.
public struct FaultResult: Codable, Sendable, Hashable {
    /// The kind of fault, by `FaultCode`.
    public var code: String
    /// The joint where the fault is worst; null if no joint is concerned, for example for tempo.
    @Nullable public var joint: String?
    /// The phase of the fault, by the exercise's own name.
    public var phase: String
    /// The measured value, the expected value and the allowed difference, in `unit`.
    public var measured: Double, expected: Double, tolerance: Double
    /// The unit of the three numbers.
    public var unit: String
    /// The difference from the demonstration, in words; absent for faults of other exercises.
    public var text: String?
    /// The measure that differs from the demonstration, without its side: knee, hip, elbow, arm, handHeight, armOut,
    /// armAhead, thighOut, thighAhead, shankAhead, bodyLine, trunk, leanForward, leanSideways, twist, head, legSpread,
    /// kneeGap, ankleGap, handGap, hipHeight, hipRise, shoulderRise or handRise; absent for other faults.
    public var measure: String?
    /// The side of that measure, or of the smaller range: left, right or both; absent for others.
    public var side: String?

    package init(_ fault: Fault) {
        (code, phase, unit) = (fault.code.rawValue, fault.phase, fault.unit.rawValue)
        joint = fault.joint?.rawValue
        measured = fault.measured.rounded(to: 3)
        expected = fault.expected.rounded(to: 3)
        tolerance = fault.tolerance.rounded(to: 3)
        (text, measure, side) = (fault.words, fault.measureName, fault.side)
    }
}

extension FaultResult {
    var line: String {
        if let text { return text }
        func number(_ value: Double) -> String { value.text(abs(value) < 10 ? 2 : 0) }
        let title = FaultCode(rawValue: code)?.title ?? code
        let bound =
            measured < expected ? "at least \(number(expected - tolerance))" : "at most \(number(expected + tolerance))"
        return "\(title): \(joint.map { $0 + " " } ?? "")\(number(measured)) \(unit), expected \(bound) (\(phase))"
    }
}
