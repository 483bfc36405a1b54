import Foundation
import KinemaCore

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
}

extension ShownReview {
    /// How far outside the shown courses a difference must lie, in spreads.
    static let least = 2.2
    /// How much farther from the views shown doubles the spread, degrees, and how much farther does not matter: the
    /// model's depth errors differ from view to view.
    private static let (otherView, sameView) = (15.0, 10.0)
    /// The factor of the spread above which only the tempo is judged.
    private static let mostFactor = 3.0
    /// The largest difference in the start posture, in degrees, that the camera's height explains.
    private static let cameraTilt = 25.0
    /// The most findings of a repetition: more, nobody can act on.
    static let most = 3

    /// The factor by which another view than those shown widens the spread.
    var spreadFactor: Double {
        let turned = course.angle.map { max(shown.angle.lowerBound - $0, $0 - shown.angle.upperBound, 0) } ?? 0
        // Seen from above or below, the trunk leans in every posture.
        let tilt = shown.measures.first { $0.measure == .leanForward }.map(startOffset) ?? 0
        return 1 + max(0, (turned * turned + tilt * tilt).squareRoot() - Self.sameView) / Self.otherView
    }

    private func startOffset(_ one: ShownExercise.Measure) -> Double {
        guard let own = course.values[one.measure] else { return 0 }
        let ends = ShownExercise.Moment.start.points, mean = one.mean
        return ends.reduce(0) { $0 + own[$1] - mean[$1] } / Double(ends.count)
    }

    /// Whether the form can be judged from this view.
    var showsForm: Bool { spreadFactor <= Self.mostFactor }

    /// The side that the body hides from a camera at the side, in the frame of the exercise.
    private var far: BodySide? { course.nearSide.map { $0 == .left ? .right : .left } }

    /// The measures that this repetition shows well enough for a verdict.
    var judged: [ShownExercise.Measure] {
        shown.measures.filter { one in
            showsForm && course.values[one.measure] != nil
                && (course.angle == nil || !course.views.isDisjoint(with: one.views))
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
            let offset = startOffset(one)
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
