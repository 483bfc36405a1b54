import Foundation
import KinemaCore

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
