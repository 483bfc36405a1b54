import Foundation
import KinemaCore

/// Looks for one fault in a stretch of readings.
struct FaultFinder {
    let rule: FaultRule
    let window: [BodyReading]
    /// How long the repetition took, seconds; nil while it goes on.
    let duration: TimeInterval?

    /// The confidence below which a measure is not judged, 0...1: half sure, as everywhere in Vision's samples.
    private static let judged = 0.5

    /// The fault, in the phase of that name; nil where there is none or too little is seen.
    func fault(phase: String) -> Fault? {
        guard let measured, rule.isBroken(by: measured) else { return nil }
        return Fault(
            code: rule.code, joint: worst, joints: rule.joints, phase: phase, measured: measured,
            expected: rule.expected, tolerance: rule.tolerance, unit: rule.unit)
    }

    private var measured: Double? {
        switch rule.quantity {
        case .duration: return duration
        case .measure(let measure, let statistic):
            guard window.confidence(of: measure) >= Self.judged else { return nil }
            return window.value(measure, statistic)
        case .sideDifference(let measure):
            guard let (left, right) = sides(of: measure) else { return nil }
            return abs(left - right)
        }
    }

    private func sides(of measure: BodyMeasure) -> (left: Double, right: Double)? {
        guard let sides = measure.sides,
            min(window.confidence(of: sides.left), window.confidence(of: sides.right)) >= Self.judged,
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
