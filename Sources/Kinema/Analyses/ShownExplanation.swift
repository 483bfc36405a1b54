import Foundation
import KinemaCore
package import KinemaDraw
package import KinemaMotion

extension ShownChart {
    /// The most rows of a chart.
    private static let most = 8

    /// The findings of a coach of a shown exercise, each with the repetition in which it is largest.
    package init(title: String, coach: ExerciseCoach?) {
        let reviews = coach?.reviews ?? []
        let starts = coach?.repetitions.map(\.start) ?? []
        self.init(
            title: title,
            rows: reviews.explained.prefix(Self.most).map { one in
                let number = starts.firstIndex { $0 == reviews[one.review].start } ?? one.review
                return Row(one, number: number + 1, of: reviews)
            })
    }
}

extension ShownChart.Row {
    fileprivate init(_ one: ExplainedFinding, number: Int, of reviews: [ShownReview]) {
        let review = reviews[one.review]
        func joints(_ points: [SIMD3<Float>]) -> [JointKey: CGPoint] {
            Dictionary(
                zip(ExplainedFinding.joints, points).map { ($0, CGPoint(x: Double($1.x), y: Double($1.y))) }
            ) { first, _ in first }
        }
        let unit = one.measure.measure.unit == .degrees ? "degrees" : "trunk lengths"
        self.init(
            title: "repetition \(number): \(one.words)" + (one.isMirrored ? " (drawn in the mirror)" : ""),
            axis: "\(one.measure.measure.name), \(unit)", shown: one.measure.mean, spread: one.measure.spread,
            done: reviews.map { $0.values(of: one.measure.measure) ?? [] },
            judged: one.review, moment: one.moment, shownJoints: joints(review.shownJoints(at: one.point)),
            doneJoints: joints(review.doneJoints(at: one.point)), faulty: one.joints)
    }
}
