import KinemaCore

extension Demonstration {
    /// Below this fit two recordings show different exercises: repetitions of other exercises are 2.5 natural spreads
    /// away and more (`ShownReview`), which is a fit of 0.3; from another view the same exercise still reaches 0.2.
    private static let leastFit = 0.15

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
            let fits = others.compactMap { ShownReview(middle, $0.exercise)?.fit }
            return fits.max().map { $0 < leastFit } ?? false
        }
    }
}
