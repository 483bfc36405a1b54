import Foundation
public import KinemaCore

extension Exercise {
    /// Learns an exercise from recordings of right repetitions and, if there are some, of named faults.
    ///
    /// Throws `.unreadableInput` when they show too little: fewer than two right repetitions, or no measure throughout.
    public init(learnedFrom demonstrations: [Demonstration], name: String, title: String? = nil) throws(KinemaError) {
        let right = demonstrations.filter { $0.fault == nil }.map(\.courses).filter { !$0.isEmpty }
        let number = right.reduce(0) { $0 + $1.count }
        guard number >= 2 else {
            throw KinemaError(
                .unreadableInput,
                "\(PlainText.counted(number, "right repetition")) found, at least 2 are needed; show the whole body and "
                    + "return to the start posture after each")
        }
        guard right.count <= ShownLimits.recordings, number <= ShownLimits.repetitions else {
            throw KinemaError(
                .unreadableInput,
                "\(right.count) recordings with \(number) repetitions, at most \(ShownLimits.recordings) with "
                    + "\(ShownLimits.repetitions) can be learnt from")
        }
        var learner = ShownLearner(right)
        guard learner.shown.measures.count >= 4 else {
            throw KinemaError(.unreadableInput, "the body is not seen well enough in most of the recordings")
        }
        let wrong = Dictionary(grouping: demonstrations.filter { $0.fault != nil }) { $0.fault ?? "" }
        for (fault, examples) in wrong.sorted(by: { $0.key < $1.key }) {
            let courses = examples.flatMap(\.courses)
            guard !courses.isEmpty else {
                throw KinemaError(.unreadableInput, "no repetition was found in the recordings of \"\(fault)\"")
            }
            learner.learn(fault, from: courses)
        }
        self.init(name: name, title: title ?? name, views: learner.views, kind: .shown(learner.shown), traits: [])
    }
}

/// Limits of what is learnt and read.
enum ShownLimits {
    static let recordings = 200, repetitions = 2000
    /// Recordings of which the file keeps the courses: the spread rests on all.
    static let courses = 12
    /// Named faults, and weights of each.
    static let faults = 20, weights = 12
}

/// Puts repetitions on the common phase and learns courses and spreads.
struct ShownLearner {
    private(set) var shown: ShownExercise
    private(set) var views: Set<BodyView> = []
    private let recordings: [[RepetitionCourse]]

    /// Recordings that show a measure, of those that must.
    private static let mostRecordings = 0.5

    init(_ right: [[RepetitionCourse]]) {
        recordings = Self.oriented(right)
        let all = recordings.flatMap(\.self)
        let angles = all.compactMap(\.angle)
        views = Set(angles.map { BodyView(degrees: Float($0)) })
        func part(_ seconds: KeyPath<RepetitionCourse, Double>) -> ShownExercise.Part {
            let values = all.map { $0[keyPath: seconds] }
            let mean = values.reduce(0, +) / Double(values.count)
            let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
            return ShownExercise.Part(mean: mean, spread: max(variance.squareRoot(), TempoJudge.floor * max(mean, 0.3)))
        }
        let middle = all[all.count / 2]
        shown = ShownExercise(
            recordings: recordings.count, repetitions: all.count, out: part(\.out), pause: part(\.pause),
            back: part(\.back), measures: [],
            angle: (angles.min() ?? 0)...(angles.max() ?? 90),
            skeleton: middle.joints.map { $0.flatMap { [$0.x, $0.y, $0.z].map(Double.init) } })
        shown.measures = BodyMeasure.shown.compactMap(measure)
    }

    /// Mirrors repetitions that match the first better that way.
    private static func oriented(_ recordings: [[RepetitionCourse]]) -> [[RepetitionCourse]] {
        guard let first = recordings.first?.first else { return recordings }
        func distance(_ one: RepetitionCourse) -> Double {
            let shared = one.values.compactMap { measure, course in
                first.values[measure].map { other in
                    zip(course, other).reduce(0) { $0 + min(4, abs($1.0 - $1.1) / measure.floor) }
                }
            }
            return shared.isEmpty ? .infinity : shared.reduce(0, +) / Double(shared.count)
        }
        return recordings.map { repetitions in
            repetitions.map { one in
                let other = one.mirrored
                return distance(other) < distance(one) ? other : one
            }
        }
    }

    private func measure(_ measure: BodyMeasure) -> ShownExercise.Measure? {
        let seen = recordings.map { $0.compactMap { $0.values[measure] } }.filter { !$0.isEmpty }
        guard Double(seen.count) > Self.mostRecordings * Double(recordings.count) else { return nil }
        let courses = seen.map(Self.mean)
        let all = Self.mean(courses)
        let (own, others) = measure.naturalSpread
        let spread = all.indices.map { point in
            let within = zip(seen, courses).flatMap { repetitions, mean in
                repetitions.map { pow($0[point] - mean[point], 2) }
            }
            let freedom = within.count - courses.count
            let between = courses.reduce(0) { $0 + pow($1[point] - all[point], 2) }
            let noise = freedom > 0 ? within.reduce(0, +) / Double(freedom) : 0
            let people = courses.count > 1 ? between / Double(courses.count - 1) : 0
            return (max(noise, own * own) + max(people, others * others)).squareRoot()
        }
        // The line of shoulders, hips and feet means something only where it is about straight.
        if measure == .bodyLine, all.contains(where: { abs($0 - 180) > 45 }) { return nil }
        let step = max(1, Double(courses.count) / Double(ShownLimits.courses))
        let kept = stride(from: 0, to: Double(courses.count), by: step).map { courses[Int($0)] }
        return ShownExercise.Measure(
            measure: measure, courses: Array(kept.prefix(ShownLimits.courses)), spread: spread,
            views: measure.judgedViews)
    }

    private static func mean(_ courses: [[Double]]) -> [Double] {
        (0..<ShownExercise.points).map { point in
            courses.reduce(0) { $0 + $1[point] } / Double(courses.count)
        }
    }

    /// Learns a fault as a direction from the right repetitions: shrunken centroids (Tibshirani et al., PNAS 2002), which
    /// need few examples.
    mutating func learn(_ name: String, from wrong: [RepetitionCourse]) {
        let deviations = wrong.map { ShownDeviations($0, from: shown) }
        let places = Set(deviations.flatMap(\.values.keys))
        // Components that differ by less than chance explains are left out.
        let chance = max(1, 2 / Double(wrong.count).squareRoot())
        var direction: [(place: ShownDeviations.Place, size: Double)] = places.compactMap { place in
            let values = deviations.compactMap { $0.values[place] }
            guard 2 * values.count > wrong.count else { return nil }
            let mean = values.reduce(0, +) / Double(values.count)
            return abs(mean) > chance ? (place, mean - (mean > 0 ? chance : -chance)) : nil
        }
        direction.sort { (abs($0.size), $1.place.name) > (abs($1.size), $0.place.name) }
        direction = Array(direction.prefix(ShownLimits.weights))
        // 1 where a repetition deviates as the examples do.
        let length = direction.reduce(0) { sum, one in
            let values = deviations.compactMap { $0.values[one.place] }
            return sum + one.size * values.reduce(0, +) / Double(max(1, values.count))
        }
        guard length > 0 else { return }
        var fault = ShownExercise.NamedFault(
            name: name, examples: wrong.count, limit: 0.5,
            weights: direction.map {
                .init(measure: $0.place.measure, moment: $0.place.moment, weight: $0.size / length)
            })
        let usual = recordings.flatMap(\.self).map { ShownDeviations($0, from: shown).score(of: fault) }.sorted()
        fault.limit = min(0.9, max(0.5, (usual.last ?? 0) + 0.1))
        shown.faults.append(fault)
    }
}
