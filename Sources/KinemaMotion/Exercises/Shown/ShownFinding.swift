import Foundation
import KinemaCore

/// A difference from what was shown.
struct ShownFinding: Sendable {
    let measure: BodyMeasure
    let moment: ShownExercise.Moment
    var difference: Double
    let expected: Double
    /// The least difference that is a finding.
    let limit: Double
    /// How far outside the spread, in units of the spread.
    let size: Double
    var bothSides = false
}

extension ShownReview {
    /// How far outside the shown courses a difference must lie, in spreads.
    static let least = 2.2
    /// The largest difference in the start posture, in degrees, that the camera's height explains.
    private static let cameraTilt = 25.0
    /// A difference throughout is reported instead of one at a moment if it is at least this share of it.
    private static let throughout = 0.75

    /// The deviations of measures, largest first, one of each family; `range` is the share of the shown range, which
    /// explains part of them.
    func findings(range: Double) -> [ShownFinding] {
        var found: [ShownFinding] = []
        for one in judged.compactMap({ largest($0, range: range) }).sorted(by: { $0.size > $1.size }) {
            guard let index = found.firstIndex(where: { $0.measure.traits.family == one.measure.traits.family }) else {
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

    /// The moment at which a measure is farthest outside the shown courses; nil if it stays within them.
    private func largest(_ one: ShownExercise.Measure, range: Double) -> ShownFinding? {
        guard var own = course.values[one.measure] else { return nil }
        if [.trunk, .leanForward, .leanSideways].contains(one.measure) {
            // Seen from above everyone leans, so only the change during the movement counts.
            let offset = min(Self.cameraTilt, max(-Self.cameraTilt, startOffset(one)))
            own = own.map { $0 - offset }
        }
        let courses = one.courses.map { course in
            let base = (course[0] + course[ShownExercise.points - 1]) / 2
            return course.map { base + range * ($0 - base) }
        }
        let outside = own.indices.map { point in
            let values = courses.map { $0[point] }
            return max(0, own[point] - (values.max() ?? 0)) - max(0, (values.min() ?? 0) - own[point])
        }
        let mean = RepetitionCourse.mean(courses)
        let all = ShownExercise.Moment.allCases.map { moment in
            let spread = moment.mean(one.spread) * spreadFactor
            return ShownFinding(
                measure: one.measure, moment: moment, difference: moment.mean(own) - moment.mean(mean),
                expected: moment.mean(mean), limit: Self.least * spread, size: abs(moment.mean(outside)) / spread)
        }
        guard let worst = all.dropFirst().max(by: { $0.size < $1.size }) else { return nil }
        let best = all[0].size >= Self.throughout * worst.size ? all[0] : worst
        return best.size >= Self.least && abs(best.difference) >= one.measure.leastDifference ? best : nil
    }
}
