package import KinemaCore

/// A finding with what is needed to draw it, in the frame of the shown exercise.
package struct ExplainedFinding: Sendable {
    /// The place of the repetition among the reviews.
    package let review: Int
    package let measure: ShownExercise.Measure
    package let words: String
    /// The points compared, and the one in their middle; without a finding the turn.
    package let moment: ClosedRange<Int>?
    package let point: Int
    package let joints: Set<JointKey>
    package let isMirrored: Bool

    /// The joints of the skeletons, in order.
    package static var joints: [JointKey] { BodyJoints.keys }
}

private struct FindingKind: Hashable {
    let code: FaultCode, measure: BodyMeasure?, phase: String
}

extension [ShownReview] {
    /// The findings, each in its clearest repetition, most frequent first; else the main measure of the last repetition.
    package var explained: [ExplainedFinding] {
        var kinds: [FindingKind: [(review: Int, fault: Fault)]] = [:]
        for (index, review) in enumerated() {
            for fault in review.repetition.faults {
                kinds[FindingKind(code: fault.code, measure: fault.measure, phase: fault.phase), default: []].append(
                    (index, fault))
            }
        }
        let found = kinds.values.sorted { ($0.count, $1[0].fault.phase) > ($1.count, $0[0].fault.phase) }
        let explained = found.compactMap { kind -> ExplainedFinding? in
            let clearest = kind.max {
                abs($0.fault.measured - $0.fault.expected) < abs($1.fault.measured - $1.fault.expected)
            }
            return clearest.flatMap { self[$0.review].explained($0.fault, at: $0.review) }
        }
        guard explained.isEmpty, let last = indices.last else { return explained }
        return [self[last].explained(nil, at: last)].compactMap(\.self)
    }
}

extension ShownReview {
    package var start: Double { course.start }

    package func values(of measure: BodyMeasure) -> [Double]? { course.values[measure] }

    package func doneJoints(at point: Int) -> [SIMD3<Float>] {
        course.joints.indices.contains(point) ? course.joints[point] : []
    }

    package func shownJoints(at point: Int) -> [SIMD3<Float>] {
        guard shown.skeleton.indices.contains(point) else { return [] }
        let numbers = shown.skeleton[point].map(Float.init)
        return stride(from: 0, to: numbers.count - 2, by: 3).map {
            SIMD3(numbers[$0], numbers[$0 + 1], numbers[$0 + 2])
        }
    }

    fileprivate func explained(_ fault: Fault?, at review: Int) -> ExplainedFinding? {
        let wanted = fault?.measure.map { course.isMirrored ? $0.mirrored.measure : $0 } ?? main?.measure
        guard let measure = shown.measures.first(where: { $0.measure == wanted }) ?? shown.measures.first else {
            return nil
        }
        let points = fault.flatMap { ShownExercise.Moment(rawValue: $0.phase) }.map(\.points)
        let isStart = fault?.phase == ShownExercise.Moment.start.rawValue
        let span = isStart ? [0, 1] : points ?? [ShownExercise.turn]
        let other = Set(measure.measure.joints)
        return ExplainedFinding(
            review: review, measure: measure, words: fault?.words ?? "no finding",
            moment: fault == nil ? nil : (span.first ?? 0)...(span.last ?? 0),
            point: isStart ? 0 : span[span.count / 2], joints: fault == nil ? [] : other, isMirrored: course.isMirrored)
    }
}
