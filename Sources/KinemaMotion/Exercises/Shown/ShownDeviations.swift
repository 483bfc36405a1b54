import Foundation

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
