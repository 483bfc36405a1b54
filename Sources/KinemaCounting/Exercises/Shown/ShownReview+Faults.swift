import Foundation
import KinemaCore

extension ShownReview {
    /// The most findings in a repetition: nobody can act on more.
    private static let most = 3
    /// The natural deviation of a range from the shown one: a standard deviation between people doing the same
    /// exercise.
    private static let rangeSpread = 0.09
    /// Ranges rank above single joints, whose differences follow from them, and taught faults above both.
    private static let (ofRanges, ofTaught) = (50.0, 100.0)
    /// A range above this is a finding.
    private static let farther = 1.35
    /// The difference between the ranges of the sides that is a finding.
    private static let sideDifference = 0.09
    /// The factor of the spread up to which the sides are compared.
    private static let bothSidesSeen = 1.5

    private typealias Ranked = (size: Double, fault: Fault)

    /// The repetition with its similarity and at most three faults, farthest outside the spread first.
    var repetition: CoachedRepetition {
        var tempo = CoachedRepetition.Tempo(eccentric: course.out, pause: course.pause, concentric: course.back)
        if !shown.beginsEccentric { (tempo.eccentric, tempo.concentric) = (course.back, course.out) }
        let whole = range()
        var all = shown.faults.compactMap(named)
        let known = Set(all.flatMap(\.fault.joints)), sides = sides
        let far = whole.flatMap(ofRange)
        all += tempoFaults(isFar: far != nil) + [far, sides.flatMap(ofSides)].compactMap(\.self)
        all += findings(range: far?.fault.measured ?? 1).map { ($0.size, fault($0)) }.filter {
            known.isDisjoint(with: $0.1.joints)
        }
        var one = CoachedRepetition(
            start: course.start, end: course.end, depth: whole?.share, tempo: tempo, symmetry: sides?.symmetry,
            side: nil, faults: all.sorted { $0.size > $1.size }.prefix(Self.most).map(\.fault))
        one.likeness = likeness
        return one
    }

    /// The share of the smaller side's range in the larger one's, and the measure that shows the smaller one.
    private var sides: (symmetry: Double, measure: BodyMeasure)? {
        guard course.views == [.front] || course.views.contains(.diagonal), spreadFactor < Self.bothSidesSeen,
            let left = range(side: .left), let right = range(side: .right)
        else { return nil }
        let (low, high) = left.share < right.share ? (left, right) : (right, left)
        return (max(0, low.share) / max(high.share, 0.01), low.measure)
    }

    private func ofRange(_ share: Double, _ measure: BodyMeasure) -> Ranked? {
        let natural = Self.least * Self.rangeSpread
        let least = shown.dose?.range ?? 1 - natural * spreadFactor
        let most = Self.farther * (1 + natural * spreadFactor) / (1 + natural)
        guard !judged.isEmpty, isWide, share < least || share > most else { return nil }
        return ofShare(
            share < least ? .shallow : .different, share, limit: share < least ? least : most, measure,
            "reaches \((100 * share).text(0)) % of the range shown")
    }

    private func ofSides(_ symmetry: Double, _ measure: BodyMeasure) -> Ranked? {
        guard 1 - symmetry > Self.sideDifference * spreadFactor, let side = own(measure).side else { return nil }
        var found = ofShare(
            .uneven, symmetry, limit: 1 - Self.sideDifference, measure,
            "\(side.rawValue) side moves \((100 * (1 - symmetry)).text(0)) % less than the other")
        found.fault.side = side.rawValue
        return found
    }

    private func ofShare(
        _ code: FaultCode, _ share: Double, limit: Double, _ measure: BodyMeasure, _ words: String
    ) -> Ranked {
        let measure = own(measure)
        return (
            Self.ofRanges + abs(1 - share) / Self.rangeSpread,
            Fault(
                code: code, joint: measure.joints.first, joints: measure.joints,
                phase: ShownExercise.Moment.turn.rawValue, measured: share, expected: 1, tolerance: abs(1 - limit),
                unit: .share, words: words, measure: measure)
        )
    }

    /// A finding on the person's own side.
    private func fault(_ finding: ShownFinding) -> Fault {
        let measure = own(finding.measure)
        let sign = course.isMirrored ? finding.measure.mirrored.sign : 1
        let joints = measure.joints + (finding.bothSides ? measure.mirrored.measure.joints : [])
        return Fault(
            code: .different, joint: measure.side == nil ? nil : joints[min(1, joints.count - 1)], joints: joints,
            phase: finding.moment.rawValue, measured: sign * (finding.expected + finding.difference),
            expected: sign * finding.expected, tolerance: finding.limit, unit: measure.unit,
            words: measure.words(sign * finding.difference, bothSides: finding.bothSides) + " " + finding.moment.words,
            measure: measure, measureName: measure.sidelessName,
            side: finding.bothSides ? "both" : measure.side?.rawValue)
    }

    /// A fault that was taught, if it occurs; it ranks before all others.
    private func named(_ fault: ShownExercise.NamedFault) -> Ranked? {
        let parts = parts(of: fault).sorted { $0.1 > $1.1 }
        let score = parts.reduce(0) { $0 + $1.1 }
        guard score >= fault.limit, let first = parts.first?.0 else { return nil }
        let reasons = parts.prefix(2).filter { $0.1 > 0 }.map { weight, part in
            "\(own(weight.measure).sidedPart) \((100 * part / score).text(0)) %"
        }
        let measure = own(first.measure)
        return (
            Self.ofTaught + score,
            Fault(
                code: .taught, joint: measure.joints.first, joints: measure.joints, phase: first.moment.rawValue,
                measured: score, expected: 0, tolerance: fault.limit, unit: .share,
                words: "\(fault.name) (by \(reasons.joined(separator: ", ")))", measure: measure)
        )
    }

    /// What each weight of a fault adds to its score: the sum is 0 for the shown movement and 1 for the fault's
    /// examples.
    func parts(of fault: ShownExercise.NamedFault) -> [(ShownExercise.NamedFault.Weight, Double)] {
        let deviations = deviations
        return fault.weights.map { weight in
            let place = Deviation(measure: weight.measure, moment: weight.moment)
            return (weight, weight.weight * (deviations[place] ?? 0))
        }
    }

    /// The measure and moment of a deviation from the mean course.
    struct Deviation: Hashable { let measure: BodyMeasure, moment: ShownExercise.Moment }

    /// The deviations from the mean course in spreads.
    var deviations: [Deviation: Double] {
        var values: [Deviation: Double] = [:]
        for one in shown.measures {
            guard let own = course.values[one.measure] else { continue }
            let mean = one.mean
            let apart = own.indices.map { (own[$0] - mean[$0]) / one.spread[$0] }
            for moment in [ShownExercise.Moment.start, .turn, .whole] {
                values[Deviation(measure: one.measure, moment: moment)] = min(4, max(-4, moment.mean(apart)))
            }
        }
        return values
    }

    /// The measure on the person's own side.
    func own(_ measure: BodyMeasure) -> BodyMeasure { course.isMirrored ? measure.mirrored.measure : measure }

    // MARK: Tempo

    /// The natural spread of a duration as a share of it.
    static let durationSpread = 0.15
    /// The least ratio that is a finding: of the whole, and of a part beyond that of the whole; parts also depend on
    /// where the turn is found.
    private static let (wholeRatio, partRatio) = (1.4, 1.7)
    /// The least difference of a pause, seconds, and in spreads.
    private static let (pauseSeconds, pauseSpreads) = (0.7, 2.5)

    /// Where the expected tempo comes from, in words.
    private var source: String { shown.dose?.seconds == nil ? "shown" : "prescribed" }

    private func tempoFaults(isFar: Bool) -> [Ranked] {
        guard !course.isRolled else { return [] }
        let tempo = shown.pace
        if let found = ofDuration("whole", course.duration, tempo.whole, beyond: 1, least: Self.wholeRatio) {
            return [found]
        }
        // Half a movement turns elsewhere.
        guard !isFar else { return [] }
        let ratio = (course.out + course.pause + course.back) / (tempo.out.mean + tempo.pause.mean + tempo.back.mean)
        var found = [("out", course.out, tempo.out), ("back", course.back, tempo.back)].compactMap {
            ofDuration($0.0, $0.1, $0.2, beyond: ratio, least: Self.partRatio)
        }
        let spread = max(tempo.pause.spread, Self.pauseSeconds / Self.pauseSpreads)
        let size = abs(course.pause - tempo.pause.mean) / spread
        if size > Self.pauseSpreads {
            let words = "pause of \(course.pause.text(1)) s at the turn, \(source) \(tempo.pause.mean.text(1)) s"
            found.append((size, tempoFault("turn", course.pause, tempo.pause, words)))
        }
        return found
    }

    private func ofDuration(
        _ phase: String, _ measured: Double, _ part: ShownExercise.Part, beyond total: Double, least: Double
    ) -> Ranked? {
        let ratio = max(measured, 0.05) / max(part.mean, 0.05)
        let size = abs(log(ratio / total)) / max(Self.durationSpread, part.spread / max(part.mean, 0.05))
        guard min(max(ratio / total, total / ratio), max(ratio, 1 / ratio)) >= least, size >= Self.least else {
            return nil
        }
        let words = "\(max(ratio, 1 / ratio).text(1)) times as \(ratio < 1 ? "fast" : "slow") as \(source)"
        return (size, tempoFault(phase, measured, part, (phase == "whole" ? "" : phase + " ") + words))
    }

    private func tempoFault(_ phase: String, _ measured: Double, _ part: ShownExercise.Part, _ words: String) -> Fault {
        Fault(
            code: measured < part.mean ? .tooFast : .tooSlow, joint: nil, joints: [], phase: phase, measured: measured,
            expected: part.mean, tolerance: Self.pauseSpreads * part.spread, unit: .seconds, words: words)
    }
}
