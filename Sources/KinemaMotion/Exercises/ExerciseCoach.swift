package import Foundation
package import KinemaCore

/// Coaches one person, pose by pose: through a given exercise, or through the one it recognises.
///
/// An exercise is recognised by what its repetitions must show; the answer is there after about two of them and may be
/// revised while more is seen.
package struct ExerciseCoach: Sendable {
    /// The exercise: the one given, or the one recognised so far; nil while none is.
    package private(set) var exercise: Exercise?
    /// The phase while the joints are not visible.
    package static let lost = "tracking lost"

    private var follower: BodyFollower
    /// The newest reading; nil while the body is not seen.
    private(set) var newest: BodyReading?
    private var trackers: [ExerciseTracker]
    private let isAutomatic: Bool
    /// How many repetitions must speak for an exercise while more may come, and how many at the end.
    private static let (enough, enoughAtEnd) = (1.5, 0.5)
    /// How much more must speak for it than for the one recognised before, so that the answer does not flicker.
    private static let advantage = 1.15

    /// Makes a coach for one exercise, in pictures of the given width divided by height.
    package init(_ exercise: Exercise, aspectRatio: Double = 4.0 / 3) {
        self.exercise = exercise
        isAutomatic = false
        trackers = [ExerciseTracker(exercise)]
        follower = BodyFollower(aspectRatio: aspectRatio)
    }

    /// Makes a coach that recognises one of some exercises, in pictures of the given width divided by height.
    package init(recognising exercises: [Exercise] = ExerciseLibrary.all, aspectRatio: Double = 4.0 / 3) {
        isAutomatic = true
        trackers = exercises.map(ExerciseTracker.init)
        follower = BodyFollower(aspectRatio: aspectRatio)
    }

    /// The repetitions of the exercise so far, in order of time.
    ///
    /// A later repetition may take back earlier ones that were little more than a third as deep as is usual: steps on the
    /// way to the place, a bar being picked up.
    package var repetitions: [CoachedRepetition] { tracker?.repetitions ?? [] }
    /// How many repetitions there are.
    package var count: Int { repetitions.count }
    /// The positions held so far and given up again.
    package var holds: [HeldPosition] { tracker?.holds ?? [] }
    /// How long positions were held altogether, seconds.
    package var heldSeconds: TimeInterval { tracker?.heldSeconds ?? 0 }
    /// What the person is doing, by the exercise's own names; `lost` while the joints are not seen.
    package var phase: String { tracker?.phase ?? "watching" }
    /// Where the movement is: 0 at rest, 1 where a full repetition turns.
    package var progress: Double { tracker?.progress ?? 0 }
    /// What speaks for each exercise, most first: the seconds it explains.
    package var evidence: [(exercise: Exercise, seconds: TimeInterval)] {
        trackers.map { ($0.exercise, $0.explained) }.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
    }

    /// Where the movement of one of the exercises is: 0 at rest, 1 where a full repetition turns.
    package func progress(of exercise: Exercise) -> Double {
        trackers.first { $0.exercise.name == exercise.name }?.progress ?? 0
    }
    /// The exercises that are looked for.
    package var candidates: [Exercise] { trackers.map(\.exercise) }

    /// Takes the pose of the next picture, nil when the person is not seen, and returns the repetitions completed.
    ///
    /// When an exercise is recognised, those of it that were seen before are returned with the first.
    @discardableResult
    package mutating func append(_ pose: Pose?, at time: TimeInterval) -> [CoachedRepetition] {
        switch follower.follow(pose, at: time) {
        case .lost:
            newest = nil
            for index in trackers.indices { trackers[index].lose(at: time) }
            return []
        case .reading(let reading, let isCut):
            newest = reading
            if isCut { for index in trackers.indices { trackers[index].interrupt() } }
            return gather { $0.take(reading, trail: $1) }
        }
    }

    /// Ends the recording and returns the repetitions that were all but complete.
    @discardableResult
    package mutating func finish() -> [CoachedRepetition] {
        gather(isEnd: true) { $0.finish(trail: $1) }
    }

    /// The readings of the last seconds.
    var trail: ReadingTrail { follower.trail }

    var tracker: ExerciseTracker? { trackers.first { $0.exercise.name == exercise?.name } }

    private mutating func gather(
        isEnd: Bool = false, _ step: (inout ExerciseTracker, ReadingTrail) -> CoachedRepetition?
    ) -> [CoachedRepetition] {
        var completed: CoachedRepetition?
        for index in trackers.indices {
            let found = step(&trackers[index], follower.trail)
            if trackers[index].exercise.name == exercise?.name { completed = found }
        }
        return recognise(isEnd: isEnd) ? repetitions : completed.map { [$0] } ?? []
    }

    /// Whether the exercise is now another one.
    private mutating func recognise(isEnd: Bool) -> Bool {
        guard isAutomatic else { return false }
        let least = isEnd ? Self.enoughAtEnd : Self.enough
        let before = (tracker?.explained ?? 0) * (isEnd ? 1 : Self.advantage)
        let best = trackers.filter { $0.evidence > least }.max { $0.explained < $1.explained }
        guard let best, best.exercise.name != exercise?.name, best.explained > before else { return false }
        exercise = best.exercise
        return true
    }
}

extension Double {
    /// The number with this many decimals.
    func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

extension ExerciseCoach: PersonStep {
    /// Whether the person neither repeated nor held anything.
    package var isEmpty: Bool { repetitions.isEmpty && holds.isEmpty }
}
