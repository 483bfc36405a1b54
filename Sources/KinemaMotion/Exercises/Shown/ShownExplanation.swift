package import KinemaCore

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
