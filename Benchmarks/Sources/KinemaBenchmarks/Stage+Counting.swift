@testable import KinemaCounting
@testable import KinemaCore

extension Stage {
    static let counting = [live, whole]

    /// Live repetitions over a minute of squats.
    private static let live = Stage(name: "counting", unit: "a pose", operations: Fixtures.minute) {
        let poses = Fixtures.minuteOfPoses()
        return {
            var counter = RepetitionCounter(aspectRatio: Fixtures.aspectRatio)
            for (pose, time) in poses { _ = counter.append(pose, at: time) }
            return counter.count
        }
    }

    /// The final count of a minute.
    private static let whole = Stage(name: "counting, the end", unit: "a minute", operations: 1) {
        var counter = RepetitionCounter(aspectRatio: Fixtures.aspectRatio)
        for (pose, time) in Fixtures.minuteOfPoses() { _ = counter.append(pose, at: time) }
        return { [counter] in
            var ended = counter
            _ = ended.finish()
            return ended.count
        }
    }
}
