import Foundation
import KinemaCore

/// The deviations of one repetition from the mean course in spreads, averaged over moments.
struct ShownDeviations {
    struct Place: Hashable {
        let measure: BodyMeasure
        let moment: ShownExercise.Moment
        var name: String { "\(measure.name) \(moment.rawValue)" }
    }

    private(set) var values: [Place: Double] = [:]
    private static let most = 4.0

    init(_ course: RepetitionCourse, from shown: ShownExercise) {
        let course = ShownReview.oriented(course, to: shown).course.aligned(to: shown)
        for one in shown.measures {
            guard let own = course.values[one.measure] else { continue }
            let mean = one.mean
            for moment in [ShownExercise.Moment.start, .turn, .whole] {
                let points = moment.points
                let sum = points.reduce(0) { $0 + (own[$1] - mean[$1]) / one.spread[$1] }
                values[Place(measure: one.measure, moment: moment)] = min(
                    Self.most, max(-Self.most, sum / Double(points.count)))
            }
        }
    }

    /// How far it goes in a fault's direction: 0 as shown, 1 as in its examples.
    func score(of fault: ShownExercise.NamedFault) -> Double {
        fault.weights.reduce(0) { $0 + $1.weight * (values[Place(measure: $1.measure, moment: $1.moment)] ?? 0) }
    }
}

/// Compares one repetition with a shown exercise.
package struct ShownReview: Sendable {
    let shown: ShownExercise
    /// The views it was shown from.
    let views: Set<BodyView>
    /// The repetition, mirrored if that matches better, on the phase of the exercise.
    let course: RepetitionCourse
    /// The mean distance from the nearest recording, in spreads.
    let distance: Double

    /// The largest distance of a point that counts, in spreads: one bad joint must not decide.
    private static let mostDistance = 4.0
    /// Repetitions of other people are about 1 spread away, those of other exercises 2.5 and more.
    private static let halfDistance = 2.3
    /// A repetition cut from turn to turn must match this much better.
    private static let rolledAdvantage = 0.7
    /// Measures needed to compare.
    private static let leastMeasures = 4

    /// Nil when too few measures are seen.
    init?(_ course: RepetitionCourse, _ shown: ShownExercise, views: Set<BodyView>) {
        let best = Self.oriented(course, to: shown)
        guard best.distance.isFinite else { return nil }
        (self.shown, self.views) = (shown, views)
        self.course = best.course.aligned(to: shown)
        distance = Self.distance(self.course, shown)
    }

    /// How alike it is, 0...100.
    var likeness: Double { 100 * exp(-pow(distance / Self.halfDistance, 2)) }

    static func oriented(_ course: RepetitionCourse, to shown: ShownExercise) -> (
        course: RepetitionCourse, distance: Double
    ) {
        let sides = shown.mirror ? [course, course.mirrored] : [course]
        let all =
            sides.map { ($0, distance($0, shown)) }
            + sides.map { ($0.rolled, distance($0.rolled, shown) / rolledAdvantage) }
        return all.min { $0.1 < $1.1 } ?? (course, .infinity)
    }

    private static func distance(_ course: RepetitionCourse, _ shown: ShownExercise) -> Double {
        let judged = shown.measures.filter { course.values[$0.measure] != nil }
        guard judged.count >= leastMeasures, let recordings = judged.map(\.courses.count).min(), recordings > 0 else {
            return .infinity
        }
        return (0..<recordings).map { recording in
            judged.reduce(0) { sum, one in
                guard let own = course.values[one.measure] else { return sum }
                let other = one.courses[recording]
                let far = own.indices.reduce(0) { $0 + min(mostDistance, abs(own[$1] - other[$1]) / one.spread[$1]) }
                return sum + far / Double(own.count)
            } / Double(judged.count)
        }.min() ?? .infinity
    }
}

/// A difference from what was shown.
struct ShownFinding: Sendable {
    let measure: BodyMeasure
    let moment: ShownExercise.Moment
    var difference: Double
    let expected: Double
    let limit: Double
    /// How far outside the spread, in its units.
    let size: Double
    var bothSides = false

    var words: String { measure.words(difference, bothSides: bothSides) + " " + moment.words }
}

extension ShownReview {
    /// How far outside the shown courses a difference must lie, in spreads.
    static let least = 2.2
    /// The factor of the spread in views other than those shown, where depth errors differ.
    private static let otherView = 2.5
    /// The largest difference in the start posture, in degrees, that the camera's height explains.
    private static let cameraTilt = 25.0
    /// The most findings of a repetition: more, nobody can act on.
    private static let most = 3

    private var spreadFactor: Double { course.view.map(views.contains) ?? true ? 1 : Self.otherView }

    /// The side that the body hides from a camera at the side, in the frame of the exercise.
    private var far: BodySide? { course.nearSide.map { $0 == .left ? .right : .left } }

    /// The measures that this repetition shows well enough for a verdict.
    var judged: [ShownExercise.Measure] {
        shown.measures.filter { one in
            course.values[one.measure] != nil && (course.view.map(one.views.contains) ?? true)
                && (one.measure.side == nil || one.measure.side != far)
        }
    }

    /// The share of the shown range that it covers, by the measures that move, of one side or of all.
    func range(side: BodySide? = nil) -> Double? {
        let ends = ShownExercise.Moment.start.points, turn = ShownExercise.Moment.turn.points
        func way(_ course: [Double]) -> Double {
            turn.reduce(0) { $0 + course[$1] } / Double(turn.count) - ends.reduce(0) { $0 + course[$1] }
                / Double(ends.count)
        }
        var ratios: [(ratio: Double, weight: Double)] = []
        let moving = shown.moving.filter { one in judged.contains { $0.measure == one.measure } }
        for one in moving.isEmpty ? shown.moving : moving where side == nil || one.measure.side == side {
            guard let own = course.values[one.measure] else { continue }
            let shownWay = way(one.mean)
            ratios.append((way(own) / shownWay, abs(shownWay) / one.spread[ShownExercise.turn]))
        }
        // The weighted median: one badly seen joint does not decide.
        var rest = ratios.reduce(0) { $0 + $1.weight } / 2
        for one in ratios.sorted(by: { $0.ratio < $1.ratio }) {
            rest -= one.weight
            if rest <= 0 { return one.ratio }
        }
        return nil
    }

    /// The deviations of measures, largest first, one of each family; `range` is what the depth explains.
    func findings(range: Double) -> [ShownFinding] {
        let all = judged.compactMap { largest($0, range: range) }.sorted { $0.size > $1.size }
        var found: [ShownFinding] = []
        for one in all {
            guard let index = found.firstIndex(where: { $0.measure.family == one.measure.family }) else {
                found.append(one)
                continue
            }
            let first = found[index]
            guard first.measure.side != nil, first.measure.mirrored.measure == one.measure, first.moment == one.moment,
                first.difference * one.difference > 0
            else { continue }
            found[index].bothSides = true
            found[index].difference = (first.difference + one.difference) / 2
        }
        return found
    }

    /// The moment at which a measure is farthest outside the courses shown; nil where it is within.
    private func largest(_ one: ShownExercise.Measure, range: Double) -> ShownFinding? {
        guard var own = course.values[one.measure], let first = one.courses.first else { return nil }
        if [.trunk, .leanForward, .leanSideways].contains(one.measure) {
            // Seen from above, everyone leans; the movement tells.
            let ends = ShownExercise.Moment.start.points, mean = one.mean
            let offset = ends.reduce(0) { $0 + own[$1] - mean[$1] } / Double(ends.count)
            own = own.map { $0 - min(Self.cameraTilt, max(-Self.cameraTilt, offset)) }
        }
        func scaled(_ course: [Double]) -> [Double] {
            let base = (course[0] + course[ShownExercise.points - 1]) / 2
            return course.map { base + range * ($0 - base) }
        }
        let courses = one.courses.map(scaled)
        let outside = first.indices.map { point in
            let low = courses.map { $0[point] }.min() ?? 0, high = courses.map { $0[point] }.max() ?? 0
            return max(0, own[point] - high) - max(0, low - own[point])
        }
        let mean = scaled(one.mean)
        func finding(_ moment: ShownExercise.Moment) -> ShownFinding {
            let points = moment.points
            func average(_ value: (Int) -> Double) -> Double {
                points.reduce(0) { $0 + value($1) } / Double(points.count)
            }
            let spread = average { one.spread[$0] } * spreadFactor
            return ShownFinding(
                measure: one.measure, moment: moment, difference: average { own[$0] - mean[$0] },
                expected: average { mean[$0] }, limit: Self.least * spread, size: abs(average { outside[$0] }) / spread)
        }
        let whole = finding(.whole)
        let parts = ShownExercise.Moment.allCases.filter { $0 != .whole }.map(finding)
        guard let worst = parts.max(by: { $0.size < $1.size }) else { return nil }
        let best = whole.size >= 0.75 * worst.size ? whole : worst
        return best.size >= Self.least && abs(best.difference) >= one.measure.leastDifference ? best : nil
    }
}

/// Compares the tempo of the parts.
enum TempoJudge {
    /// The natural spread of a part's duration as a share of it.
    static let floor = 0.15
    /// The least ratio that is a finding, and how far outside the spread it lies.
    private static let (least, outside) = (1.4, 2.5)
    /// The least difference of a pause, seconds.
    private static let pause = 0.7

    static func faults(of course: RepetitionCourse, _ shown: ShownExercise) -> [(size: Double, fault: Fault)] {
        guard !course.isRolled else { return [] }
        let parts: [(words: String, measured: Double, part: ShownExercise.Part)] = [
            ("out", course.out, shown.out), ("back", course.back, shown.back),
        ]
        var found = parts.compactMap { one -> (size: Double, fault: Fault)? in
            let ratio = max(one.measured, 0.05) / max(one.part.mean, 0.05)
            let size = abs(one.measured - one.part.mean) / one.part.spread / outside * ShownReview.least
            guard max(ratio, 1 / ratio) >= least, size >= ShownReview.least else { return nil }
            let words = "\(one.words) \(max(ratio, 1 / ratio).text(1)) times as \(ratio < 1 ? "fast" : "slow") as shown"
            return (size, fault(ratio < 1 ? .tooFast : .tooSlow, one.measured, one.part, words, "\(one.words)"))
        }
        if found.count == 2, found[0].fault.code == found[1].fault.code {
            let (own, usual) = (course.out + course.back, shown.out.mean + shown.back.mean)
            let words = "\((max(own / usual, usual / own)).text(1)) times as \(own < usual ? "fast" : "slow") as shown"
            let part = ShownExercise.Part(mean: usual, spread: shown.out.spread + shown.back.spread)
            found = [(found[0].size, fault(found[0].fault.code, own, part, words, "whole"))]
        }
        let difference = course.pause - shown.pause.mean
        if abs(difference) > max(pause, outside * shown.pause.spread) {
            let words = "pause of \(course.pause.text(1)) s at the turn, shown \(shown.pause.mean.text(1)) s"
            found.append(
                (
                    abs(difference) / max(pause / outside, shown.pause.spread),
                    fault(difference < 0 ? .tooFast : .tooSlow, course.pause, shown.pause, words, "turn")
                ))
        }
        return found
    }

    private static func fault(
        _ code: FaultCode, _ measured: Double, _ part: ShownExercise.Part, _ words: String, _ phase: String
    ) -> Fault {
        Fault(
            code: code, joint: nil, joints: [], phase: phase, measured: measured, expected: part.mean,
            tolerance: outside * part.spread, unit: .seconds, words: words)
    }
}

extension ShownReview {
    /// A range this far from that shown is natural: a standard deviation of people in the same exercise.
    private static let rangeSpread = 0.08
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
        guard course.view != .side, spreadFactor == 1, let left = range(side: .left), let right = range(side: .right)
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
        let isFar = range < least || range > Self.farther
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

    private func fault(_ finding: ShownFinding) -> Fault {
        let measure = course.isMirrored ? finding.measure.mirrored : (finding.measure, 1)
        var told = finding
        if course.isMirrored {
            told = ShownFinding(
                measure: measure.0, moment: finding.moment, difference: finding.difference * measure.1,
                expected: finding.expected * measure.1, limit: finding.limit, size: finding.size,
                bothSides: finding.bothSides)
        }
        var keys = told.measure.joints
        if told.bothSides { keys += told.measure.mirrored.measure.joints }
        return Fault(
            code: .different, joint: told.measure.side == nil ? nil : keys.dropFirst().first ?? keys.first,
            joints: keys,
            phase: told.moment.rawValue, measured: told.expected + told.difference, expected: told.expected,
            tolerance: told.limit, unit: told.measure.unit, words: told.words,
            measure: told.measure)
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
