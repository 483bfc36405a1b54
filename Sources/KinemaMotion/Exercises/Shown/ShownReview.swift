import Foundation
import KinemaCore

/// Compares one repetition with a shown exercise.
package struct ShownReview: Sendable {
    let shown: ShownExercise
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
    init?(_ course: RepetitionCourse, _ shown: ShownExercise) {
        let best = Self.oriented(course, to: shown)
        guard best.distance.isFinite else { return nil }
        self.shown = shown
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
