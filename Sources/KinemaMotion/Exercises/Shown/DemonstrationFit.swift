import KinemaCore

extension Demonstration {
    /// What a repetition of the same exercise reaches, also of another person, from another view or with a fault: this
    /// fit (`ShownReview`; squats of six people 0.12 to 0.62, bridges with squats 0.05), and this share of the way that
    /// the joints of the other recording move (0.6 to 1.2, curls with squats 0.05).
    private static let (leastFit, leastRange) = (0.1, 0.25)

    /// The indices of recordings that resemble no recording of correct repetitions but themselves: they show another
    /// exercise. Those without repetitions are not judged.
    package static func odd(among demonstrations: [Demonstration]) -> [Int] {
        let courses = demonstrations.map(\.courses)
        let right = demonstrations.indices.filter { demonstrations[$0].fault == nil && !courses[$0].isEmpty }
        let shown = right.prefix(ShownLimits.courses).map { (index: $0, exercise: ShownLearner([courses[$0]]).shown) }
        return demonstrations.indices.filter { index in
            guard !courses[index].isEmpty else { return false }
            let others = shown.filter { $0.index != index }
            let middle = courses[index][courses[index].count / 2]
            let reviews = others.compactMap { ShownReview(middle, $0.exercise) }
            return !reviews.isEmpty
                && !reviews.contains { $0.fit > leastFit && ($0.range()?.share ?? 1) > leastRange }
        }
    }
}
