import Foundation
import KinemaCore

extension ShownReview {
    /// A range this far from that shown is natural: a standard deviation of people in the same exercise.
    private static let rangeSpread = 0.09
    /// A range above this is a finding.
    private static let farther = 1.35
    /// The difference between the ranges of the sides that is a finding.
    private static let sideDifference = 0.13

    /// The repetition with its likeness, and at most three faults, farthest outside the spread first.
    var repetition: CoachedRepetition {
        let range = range() ?? 1
        let beginsEccentric = shown.beginsEccentric
        let ranges = sideRanges
        var one = CoachedRepetition(
            start: course.start, end: course.end, depth: range,
            tempo: .init(
                eccentric: beginsEccentric ? course.out : course.back, pause: course.pause,
                concentric: beginsEccentric ? course.back : course.out),
            symmetry: ranges.map { max(0, min($0.left, $0.right)) / max($0.left, $0.right, 0.01) }, side: nil,
            faults: [])
        one.likeness = likeness
        one.faults = faults(range: range, sides: ranges)
        return one
    }

    private var sideRanges: (left: Double, right: Double)? {
        guard course.views == [.front] || course.views.contains(.diagonal), spreadFactor < 1.5,
            let left = range(side: .left), let right = range(side: .right)
        else { return nil }
        return (left, right)
    }

    /// The measure that moves most, in spreads.
    var main: ShownExercise.Measure? { shown.moving.max { way($0) < way($1) } }

    private func way(_ one: ShownExercise.Measure) -> Double {
        abs(one.mean[ShownExercise.turn] - one.mean[0]) / one.spread[ShownExercise.turn]
    }

    private func faults(range: Double, sides: (left: Double, right: Double)?) -> [Fault] {
        let named = named
        var all = named
        let natural = Self.least * Self.rangeSpread * spreadFactor
        let least = min(shown.dose?.range ?? ShownExercise.Dose.usualRange, 1 - natural)
        let isFar =
            showsForm && (range < least || range > Self.farther * (1 + natural) / (1 + Self.least * Self.rangeSpread))
        if isFar {
            all.append(
                ofRange(
                    range < 1 ? .shallow : .different, range, tolerance: range < 1 ? 1 - least : Self.farther - 1,
                    main, "goes \(Int(clamping: range * 100)) % of the way shown"))
        }
        if let sides, abs(sides.left - sides.right) > Self.sideDifference * max(sides.left, sides.right) * spreadFactor
        {
            let share = min(sides.left, sides.right) / max(sides.left, sides.right, 0.01)
            let side: BodySide = sides.left < sides.right ? .left : .right
            let own = (side == .left) != course.isMirrored ? "left" : "right"
            all.append(
                ofRange(
                    .uneven, share, tolerance: Self.sideDifference,
                    shown.moving.filter { $0.measure.side == side }.max { way($0) < way($1) },
                    "\(own) side goes \(Int(clamping: (1 - share) * 100)) % less far than the other"))
        }
        all += TempoJudge.faults(of: course, shown)
        let known = Set(named.flatMap { $0.fault.joints })
        all += findings(range: isFar ? range : 1).filter { known.isDisjoint(with: joints($0.measure)) }
            .map { ($0.size, fault($0)) }
        return all.sorted { $0.size > $1.size }.prefix(Self.most).map(\.fault)
    }

    private func ofRange(
        _ code: FaultCode, _ range: Double, tolerance: Double, _ measure: ShownExercise.Measure?, _ words: String
    ) -> (size: Double, fault: Fault) {
        let keys = measure.map { joints($0.measure) } ?? []
        return (
            abs(1 - range) / Self.rangeSpread,
            Fault(
                code: code, joint: keys.first, joints: keys, phase: ShownExercise.Moment.turn.rawValue, measured: range,
                expected: 1, tolerance: tolerance, unit: .share, words: words, measure: measure.map { own($0.measure) })
        )
    }

    /// A finding on the person's own side.
    private func fault(_ finding: ShownFinding) -> Fault {
        let (measure, sign) = course.isMirrored ? finding.measure.mirrored : (finding.measure, 1)
        let (difference, expected) = (finding.difference * sign, finding.expected * sign)
        let keys = measure.joints + (finding.bothSides ? measure.mirrored.measure.joints : [])
        return Fault(
            code: .different, joint: measure.side == nil ? nil : keys[min(1, keys.count - 1)], joints: keys,
            phase: finding.moment.rawValue, measured: expected + difference, expected: expected,
            tolerance: finding.limit, unit: measure.unit,
            words: measure.words(difference, bothSides: finding.bothSides) + " " + finding.moment.words,
            measure: measure)
    }

    /// The faults that were taught, ranked before all others.
    private var named: [(size: Double, fault: Fault)] {
        guard !shown.faults.isEmpty else { return [] }
        let deviations = ShownDeviations(course, from: shown)
        return shown.faults.compactMap { fault in
            let score = deviations.score(of: fault)
            guard score >= fault.limit else { return nil }
            let parts = fault.weights.map { one in
                (one, one.weight * (deviations.values[.init(measure: one.measure, moment: one.moment)] ?? 0))
            }.sorted { $0.1 > $1.1 }
            let reasons = parts.prefix(2).filter { $0.1 > 0 }.map { weight, part in
                "\(sided(weight.measure)) \(Int(clamping: 100 * part / score)) %"
            }
            let keys = parts.first.map { joints($0.0.measure) } ?? []
            return (
                100 + score,
                Fault(
                    code: .taught, joint: keys.first, joints: keys,
                    phase: parts.first?.0.moment.rawValue ?? ShownExercise.Moment.whole.rawValue, measured: score,
                    expected: 0, tolerance: fault.limit, unit: .share,
                    words: fault.name + (reasons.isEmpty ? "" : " (by \(reasons.joined(separator: ", ")))"),
                    measure: parts.first.map { own($0.0.measure) })
            )
        }
    }

    private func sided(_ measure: BodyMeasure) -> String {
        let own = own(measure)
        return (own.side.map { "\($0) " } ?? "") + own.part
    }

    /// The measure on the person's own side.
    private func own(_ measure: BodyMeasure) -> BodyMeasure { course.isMirrored ? measure.mirrored.measure : measure }

    private func joints(_ measure: BodyMeasure) -> [JointKey] { own(measure).joints }
}
