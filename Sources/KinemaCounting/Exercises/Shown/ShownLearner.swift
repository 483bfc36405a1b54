import Foundation
public import KinemaCore

extension Exercise {
    /// Learns an exercise from recordings of correct repetitions and, if any, of named faults.
    ///
    /// Throws `.unreadableInput` when they show too little: fewer than two correct repetitions, or no measure
    /// throughout.
    public init(learnedFrom demonstrations: [Demonstration], name: String, title: String? = nil) throws(KinemaError) {
        func refuse(_ text: String) -> KinemaError { KinemaError(.unreadableInput, text) }
        let right = demonstrations.filter { $0.fault == nil }.map(\.courses).filter { !$0.isEmpty }
        let number = right.reduce(0) { $0 + $1.count }
        guard number >= 2 else {
            throw refuse(
                "\(PlainText.counted(number, "right repetition")) found, at least 2 are needed; show the whole body and "
                    + "return to the start posture after each")
        }
        guard right.count <= ShownLimits.recordings, number <= ShownLimits.repetitions else {
            throw refuse(
                "\(right.count) recordings with \(number) repetitions, at most \(ShownLimits.recordings) with "
                    + "\(ShownLimits.repetitions) can be learnt from")
        }
        var learner = ShownLearner(right)
        guard learner.shown.measures.count >= ShownLimits.measures else {
            throw refuse("the body is not clearly visible in most of the recordings")
        }
        let wrong = Dictionary(grouping: demonstrations.filter { $0.fault != nil }) { $0.fault ?? "" }
        let heldOut = wrong.isEmpty ? [] : learner.heldOut
        for (fault, examples) in wrong.sorted(by: { $0.key < $1.key }) {
            let courses = examples.map(\.courses).filter { !$0.isEmpty }
            guard !courses.isEmpty else { throw refuse("no repetition was found in the recordings of \"\(fault)\"") }
            learner.learn(fault, from: courses, heldOut: heldOut)
        }
        self.init(name: name, title: title ?? name, views: learner.views, kind: .shown(learner.shown), traits: [])
    }
}

/// Puts repetitions on the common phase and learns courses and spreads.
struct ShownLearner {
    private(set) var shown: ShownExercise
    let views: Set<BodyView>
    /// The repetitions as the counter cut them, and recut like the majority.
    private let given, recordings: [[RepetitionCourse]]

    init(_ right: [[RepetitionCourse]]) {
        (given, recordings) = (right, Self.oriented(right))
        let all = recordings.flatMap(\.self)
        let angles = all.compactMap(\.angle)
        views = Set(angles.map { BodyView(degrees: Float($0)) })
        func part(_ seconds: KeyPath<RepetitionCourse, Double>) -> ShownExercise.Part {
            // In a repetition cut from turn to turn, the pause is the one at its start.
            let values = all.filter { !$0.isRolled }.map { $0[keyPath: seconds] }
            let mean = values.reduce(0, +) / Double(values.count)
            let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
            let least = ShownReview.durationSpread * max(mean, 0.3)
            return .init(mean: mean.rounded(3), spread: max(variance.squareRoot(), least).rounded(3))
        }
        let middle = all[all.count / 2]
        shown = ShownExercise(
            recordings: recordings.count, repetitions: all.count,
            angle: (angles.min() ?? 0).rounded()...(angles.max() ?? 90).rounded(),
            tempo: .init(whole: part(\.duration), out: part(\.out), pause: part(\.pause), back: part(\.back)),
            measures: [],
            skeleton: middle.joints.map { $0.flatMap { [$0.x, $0.y, $0.z].map { Double($0).rounded(3) } } })
        shown.measures = BodyMeasure.shown.compactMap(measure)
    }

    /// The repetitions, mirrored or cut from turn to turn if they match the first better that way, then recut like the
    /// majority.
    private static func oriented(_ recordings: [[RepetitionCourse]]) -> [[RepetitionCourse]] {
        guard let first = recordings.first?.first else { return recordings }
        func oriented(to reference: RepetitionCourse) -> [[RepetitionCourse]] {
            func distance(_ one: RepetitionCourse) -> Double {
                one.distance(to: reference.values) { .init(repeating: $0.traits.floor, count: ShownExercise.points) }
                    .map {
                        $0 / one.share(of: reference.values.keys) / (one.isRolled ? ShownReview.rolledAdvantage : 1)
                    }
                    ?? .infinity
            }
            return recordings.map { repetitions in
                repetitions.map { one in
                    let others = [one.mirrored, one.rolled, one.mirrored.rolled].map { ($0, distance($0)) }
                    let best = others.min { $0.1 < $1.1 }
                    return best.flatMap { $0.1 < distance(one) ? $0.0 : nil } ?? one
                }
            }
        }
        let found = oriented(to: first)
        let rolled = found.map { $0.count { $0.isRolled } }.reduce(0, +)
        guard 2 * rolled > found.map(\.count).reduce(0, +) else { return found }
        let places = zip(recordings, found).flatMap { zip($0, $1) }
        return places.first { $1.isRolled }.map { oriented(to: $0.0) } ?? found
    }

    /// The courses and the spread of a measure that more than half of the recordings show.
    private func measure(_ measure: BodyMeasure) -> ShownExercise.Measure? {
        let seen = recordings.map { $0.compactMap { $0.values[measure] } }.filter { !$0.isEmpty }
        guard 2 * seen.count > recordings.count else { return nil }
        let courses = seen.map(RepetitionCourse.mean)
        let all = RepetitionCourse.mean(courses)
        // The line through shoulders, hips and feet is meaningful only if roughly straight.
        if measure == .bodyLine, all.contains(where: { abs($0 - 180) > 45 }) { return nil }
        let decimals = measure.unit == .degrees ? 1 : 3
        let spread = all.indices.map { point in
            let within = zip(seen, courses).flatMap { repetitions, mean in
                repetitions.map { pow($0[point] - mean[point], 2) }
            }
            let between = courses.map { pow($0[point] - all[point], 2) }
            let noise = within.reduce(0, +) / Double(max(1, within.count - courses.count))
            let people = between.reduce(0, +) / Double(max(1, courses.count - 1))
            return (max(noise, pow(measure.traits.repetitions, 2)) + max(people, pow(measure.traits.people, 2)))
                .squareRoot().rounded(decimals)
        }
        let step = max(1, Double(courses.count) / Double(ShownLimits.courses))
        let kept = stride(from: 0, to: Double(courses.count), by: step).map { courses[Int($0)] }
        return ShownExercise.Measure(
            measure: measure, views: measure.traits.views, spread: spread,
            courses: kept.prefix(ShownLimits.courses).map { $0.map { $0.rounded(decimals) } })
    }

    /// Correct repetitions compared with the other recordings: those it was learnt from deviate less than other
    /// people's.
    var heldOut: [ShownReview] {
        given.indices.prefix(ShownLimits.courses).flatMap { index in
            var others = given
            if others.count > 1 { others.remove(at: index) }
            let shown = ShownLearner(others).shown
            return given[index].compactMap { ShownReview($0, shown) }
        }
    }

    /// Learns a fault as a direction away from the correct repetitions: shrunken centroids (Tibshirani et al., PNAS
    /// 2002), which need few examples. Each recording counts once, however many repetitions it has. The limit is above
    /// the scores of `heldOut`.
    mutating func learn(_ name: String, from wrong: [[RepetitionCourse]], heldOut: [ShownReview]) {
        let examples = wrong.reduce(0) { $0 + $1.count }
        let recordings = wrong.map { $0.compactMap { ShownReview($0, shown)?.deviations } }.filter { !$0.isEmpty }
        // Components that differ by no more than chance are left out.
        let chance = max(1, 2 / Double(max(1, recordings.reduce(0) { $0 + $1.count })).squareRoot())
        typealias Mean = (place: ShownReview.Deviation, mean: Double)
        func mean(_ values: [Double]) -> Double? {
            values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
        let means = Set(recordings.joined().flatMap(\.keys)).compactMap { place -> Mean? in
            let values = recordings.compactMap { one in mean(one.compactMap { $0[place] }) }
            guard 2 * values.count > recordings.count, let mean = mean(values), abs(mean) > chance else { return nil }
            return (place, mean)
        }.sorted { (abs($0.mean), $1.place.name) > (abs($1.mean), $0.place.name) }.prefix(ShownLimits.weights)
        // 1 where a repetition deviates as the examples do.
        func shrunk(_ mean: Double) -> Double { mean - (mean > 0 ? chance : -chance) }
        let length = means.reduce(0) { $0 + shrunk($1.mean) * $1.mean }
        guard length > 0 else { return }
        var fault = ShownExercise.NamedFault(
            name: name, examples: examples, limit: 0.5,
            weights: means.map {
                .init(
                    measure: $0.place.measure, moment: $0.place.moment, weight: (shrunk($0.mean) / length).rounded(4))
            })
        let usual = heldOut.map { $0.parts(of: fault).reduce(0) { $0 + $1.1 } }
        fault.limit = min(0.9, max(0.5, (usual.max() ?? 0) + 0.1)).rounded(3)
        shown.faults.append(fault)
    }
}

extension ShownReview.Deviation {
    fileprivate var name: String { "\(measure.name) \(moment.rawValue)" }
}

extension Double {
    fileprivate func rounded(_ decimals: Int) -> Double {
        let scale = pow(10, Double(decimals))
        return (self * scale).rounded() / scale
    }
}
