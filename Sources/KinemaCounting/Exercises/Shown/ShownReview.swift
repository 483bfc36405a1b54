import Foundation
package import KinemaCore

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

package struct ShownReview: Sendable {
    let shown: ShownExercise
    /// The repetition, mirrored if that matches better, on the phase of the exercise.
    let course: RepetitionCourse
    /// The mean distance from the nearest recording, in spreads.
    private let distance: Double

    /// Repetitions of other people are about 1 spread away, those of other exercises 2.5 and more.
    private static let halfDistance = 2.3
    /// The cap on a point's distance when comparing exercises with each other, in natural spreads.
    private static let otherExercise = 8.0
    /// A repetition cut from turn to turn must match this much better.
    static let rolledAdvantage = 0.7
    /// One that goes less than this share of the shown way is assumed to be cut like that, and must match that much
    /// better if it is not.
    private static let otherWay = -0.2
    /// The distance from the shown views that doubles the spread, degrees, and the distance that is tolerated: the
    /// model's depth errors differ from view to view.
    private static let (otherView, sameView) = (15.0, 10.0)
    /// The factor of the spread above which only the tempo is judged.
    private static let mostFactor = 3.0
    /// Sides are compared by measures that move at least this much, in deviations from one repetition to the next:
    /// smaller movements differ by chance.
    private static let sideWay = 8.0
    /// The least extent of a movement whose range is judged, in spreads.
    private static let leastExtent = 5.0

    /// Nil when too few measures are seen.
    init?(_ course: RepetitionCourse, _ shown: ShownExercise) {
        let best = Self.oriented(course, to: shown).aligned(to: shown)
        guard let distance = Self.distance(best, shown) else { return nil }
        (self.shown, self.course, self.distance) = (shown, best, distance)
    }

    /// The similarity to the shown exercise, 0...100.
    var likeness: Double { 100 * Self.likeness(distance) }

    /// How well it fits the exercise rather than others, 0...1. Uses natural spreads, not the shown ones: within the
    /// wide spread of a careless demonstration everything looks similar.
    var fit: Double {
        let natural = Self.distance(course, shown, most: Self.otherExercise) {
            .init(repeating: $0.measure.traits.floor, count: ShownExercise.points)
        }
        return natural.map(Self.likeness) ?? 0
    }

    private static func likeness(_ distance: Double) -> Double { exp(-pow(distance / halfDistance, 2)) }

    /// The repetition, or its mirror image, cut to match best.
    static func oriented(_ course: RepetitionCourse, to shown: ShownExercise) -> RepetitionCourse {
        let sides = shown.mirror ? [course, course.mirrored] : [course]
        return sides.flatMap { side in
            let isOtherWay = way(of: side, shown) <= otherWay
            return [side, side.rolled].compactMap { one in
                // Compares the side that was shown, not only what both sides have in common.
                let share = one.share(of: shown.measures.map(\.measure))
                return distance(one, shown).map {
                    (one, $0 / share / (one.isRolled == isOtherWay ? 1 : rolledAdvantage))
                }
            }
        }.min { $0.1 < $1.1 }?.0 ?? course
    }

    /// The mean share of the shown way that a repetition covers, over the measures that move; negative in the opposite
    /// direction.
    private static func way(of course: RepetitionCourse, _ shown: ShownExercise) -> Double {
        let known = shown.moving.compactMap { one in
            course.values[one.measure].map {
                (share: max(-1, min(1, ShownExercise.Moment.way($0) / one.way)), weight: one.extent)
            }
        }
        let weight = known.reduce(0) { $0 + $1.weight }
        return weight > 0 ? known.reduce(0) { $0 + $1.share * $1.weight } / weight : 0
    }

    private static func distance(
        _ course: RepetitionCourse, _ shown: ShownExercise, most: Double = RepetitionCourse.mostDistance,
        spread: (ShownExercise.Measure) -> [Double] = { $0.spread }
    ) -> Double? {
        let spreads = Dictionary(uniqueKeysWithValues: shown.measures.map { ($0.measure, spread($0)) })
        let judged = shown.measures.filter { course.values[$0.measure] != nil }
        return (0..<(judged.map(\.courses.count).min() ?? 0)).compactMap { recording in
            course.distance(
                to: Dictionary(uniqueKeysWithValues: judged.map { ($0.measure, $0.courses[recording]) }), most: most
            ) { spreads[$0] ?? [] }
        }.min()
    }

    // MARK: What can be judged

    /// The factor by which a view other than the shown ones widens the spread.
    var spreadFactor: Double {
        let turned = course.angle.map { max(shown.angle.lowerBound - $0, $0 - shown.angle.upperBound, 0) } ?? 0
        // Seen from above or below, the trunk leans in every posture.
        let tilt = shown.measures.first { $0.measure == .leanForward }.map(startOffset) ?? 0
        return 1 + max(0, (turned * turned + tilt * tilt).squareRoot() - Self.sameView) / Self.otherView
    }

    func startOffset(_ one: ShownExercise.Measure) -> Double {
        let start = ShownExercise.Moment.start
        return course.values[one.measure].map { start.mean($0) - start.mean(one.mean) } ?? 0
    }

    /// The measures that this repetition shows well enough for a verdict; none in a view too far from the shown ones.
    var judged: [ShownExercise.Measure] {
        guard spreadFactor <= Self.mostFactor else { return [] }
        return shown.measures.filter { one in
            course.values[one.measure] != nil && (course.angle == nil || !course.views.isDisjoint(with: one.views))
                && (one.measure.side == nil || one.measure.side != course.farSide)
        }
    }

    /// Whether the movement is so much larger than its natural spread that its range can be judged.
    var isWide: Bool { (shown.moving.map(\.extent).max() ?? 0) >= Self.leastExtent }

    /// The share of the shown range that it covers, over the moving measures of one side or of both.
    func range(side: BodySide? = nil) -> (share: Double, measure: BodyMeasure)? {
        let known = Set(judged.map(\.measure))
        let moving = shown.moving.filter { known.contains($0.measure) }
        let ratios = (moving.isEmpty ? shown.moving : moving).filter { one in
            side == nil
                || one.measure.side == side && abs(one.way) >= Self.sideWay * one.measure.traits.repetitions
        }.compactMap { one in
            course.values[one.measure].map {
                (share: ShownExercise.Moment.way($0) / one.way, weight: one.extent, measure: one.measure)
            }
        }.sorted { $0.share < $1.share }
        // The weighted median: one badly seen joint does not decide.
        var rest = ratios.reduce(0) { $0 + $1.weight } / 2
        let middle = ratios.first { one in
            rest -= one.weight
            return rest <= 0
        }
        return middle.map { (max(0, $0.share), $0.measure) }
    }
}

/// A finding with the data to draw it, in the frame of the shown exercise.
package struct ShownExplanation: Sendable {
    /// The index of the repetition among the reviews.
    package let review: Int
    package let measure: ShownExercise.Measure
    package let words: String
    /// The points of the finding; empty without one and for tempo.
    package let points: [Int]
    /// The joints of the finding; empty without one and for tempo.
    package let joints: Set<JointKey>
    /// For a finding about tempo the seconds since the start at each point, as shown and in all repetitions.
    package let seconds: (shown: [Double], done: [[Double]])?
    /// The courses of the measure in all repetitions; empty if not seen.
    package let done: [[Double]]
    /// The skeletons as `BodyJoints` at the middle point: as shown and as done.
    package let skeletons: [[JointKey: SIMD3<Float>]]
}

extension [ShownReview] {
    /// The findings, each in its clearest repetition, most frequent first; else the main measure of the last repetition.
    package var explained: [ShownExplanation] {
        let all = enumerated().flatMap { index, review in review.repetition.faults.map { (index, $0) } }
        let kinds = Dictionary(grouping: all) { _, fault in
            // The measure that shows a range may change from one repetition to the next.
            fault.code == .shallow ? fault.code.rawValue : "\(fault.phase) \(fault.code) \(fault.measure?.name ?? "")"
        }
        let clearest = kinds.sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }.compactMap { _, same in
            same.max { $0.1.difference < $1.1.difference }
        }
        guard clearest.isEmpty else { return clearest.compactMap(explanation) }
        return indices.suffix(1).compactMap { explanation($0, nil) }
    }

    private func explanation(_ review: Int, _ fault: Fault?) -> ShownExplanation? {
        let (shown, course) = (self[review].shown, self[review].course)
        let wanted = fault?.measure.map(self[review].own) ?? self[review].range()?.measure
        guard let measure = shown.measures.first(where: { $0.measure == wanted }) ?? shown.measures.first else {
            return nil
        }
        let moment = fault.flatMap { ShownExercise.Moment(rawValue: $0.phase) }
        let points = moment?.points ?? [ShownExercise.turn]
        let middle = moment == .start ? 0 : points[points.count / 2]
        let skeleton = shown.skeleton.isEmpty ? [] : shown.skeleton[middle].map(Float.init)
        let wasShown = stride(from: 0, to: skeleton.count, by: 3).map {
            SIMD3(skeleton[$0], skeleton[$0 + 1], skeleton[$0 + 2])
        }
        let isTempo = fault?.code == .tooFast || fault?.code == .tooSlow
        let isMarked = fault != nil && !isTempo
        return ShownExplanation(
            review: review, measure: measure,
            words: (fault?.words ?? "no finding") + (course.isMirrored ? " (drawn in the mirror)" : ""),
            points: isMarked ? points : [], joints: isMarked ? Set(measure.measure.joints) : [],
            seconds: isTempo ? (shown: shown.pace.seconds, done: map(\.course.seconds)) : nil,
            done: map { $0.course.values[measure.measure] ?? [] },
            skeletons: [wasShown, course.joints[middle]].map {
                Dictionary(uniqueKeysWithValues: zip(BodyJoints.keys, $0))
            })
    }
}

extension ShownReview {
    package var start: Double { course.start }
}

extension ShownExercise.Tempo {
    fileprivate var seconds: [Double] {
        ShownExercise.seconds(out: out.mean, pause: pause.mean, back: back.mean)
    }
}

extension Fault {
    fileprivate var difference: Double { abs(measured - expected) }
}
