public import Foundation
public import KinemaCore

/// Coaches one person, pose by pose: through a given exercise, or through the one it recognises.
///
/// An exercise is recognised by what its repetitions must show; the answer is there after about two of them and may be
/// revised while more is seen.
public struct ExerciseCoach: Sendable {
    /// The exercise: the one given, or the one recognised so far; nil while none is.
    public private(set) var exercise: Exercise?
    /// What the phase says while the joints are not seen.
    public static let lost = "tracking lost"

    private var follower: BodyFollower
    private var trackers: [ExerciseTracker]
    private let isAutomatic: Bool
    /// How much must speak for an exercise, and how much more than for the one recognised before.
    private static let (enough, advantage) = (0.5, 1.15)

    /// Makes a coach for one exercise, in pictures of the given width divided by height.
    public init(_ exercise: Exercise, aspectRatio: Double = 4.0 / 3) {
        self.exercise = exercise
        isAutomatic = false
        trackers = [ExerciseTracker(exercise)]
        follower = BodyFollower(aspectRatio: aspectRatio)
    }

    /// Makes a coach that finds out which of some exercises it sees, in pictures of the given width divided by height.
    public init(recognising exercises: [Exercise] = ExerciseLibrary.all, aspectRatio: Double = 4.0 / 3) {
        isAutomatic = true
        trackers = exercises.map(ExerciseTracker.init)
        follower = BodyFollower(aspectRatio: aspectRatio)
    }

    /// The repetitions of the exercise so far, in order of time.
    ///
    /// A later repetition may take back earlier ones that were less than four tenths as deep as is usual: steps on the
    /// way to the place, a bar being picked up.
    public var repetitions: [CoachedRepetition] { tracker?.repetitions ?? [] }
    /// How many repetitions there are.
    public var count: Int { repetitions.count }
    /// The positions held so far and given up again.
    public var holds: [HeldPosition] { tracker?.holds ?? [] }
    /// How long positions were held altogether, seconds.
    public var heldSeconds: TimeInterval { tracker?.heldSeconds ?? 0 }
    /// What the person is doing, by the exercise's own names; `lost` while the joints are not seen.
    public var phase: String { tracker?.phase ?? "watching" }
    /// Where the movement is: 0 at rest, 1 where a full repetition turns.
    public var progress: Double { tracker?.progress ?? 0 }
    /// What speaks for each exercise, most first: about 1 for each repetition that shows all it must.
    public var evidence: [(exercise: Exercise, weight: Double)] {
        trackers.map { ($0.exercise, $0.evidence) }.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
    }

    /// Takes the pose of the next picture, nil when the person is not seen, and returns the repetitions completed.
    ///
    /// When an exercise is recognised, those of it that were seen before are returned with the first.
    @discardableResult
    public mutating func append(_ pose: Pose?, at time: TimeInterval) -> [CoachedRepetition] {
        switch follower.follow(pose, at: time) {
        case .lost:
            for index in trackers.indices { trackers[index].lose(at: time) }
            return []
        case .reading(let reading, let isCut):
            if isCut { for index in trackers.indices { trackers[index].interrupt() } }
            return gather { $0.take(reading, trail: $1) }
        }
    }

    /// Ends the recording and returns the repetitions that were all but complete.
    @discardableResult
    public mutating func finish() -> [CoachedRepetition] {
        gather { $0.finish(trail: $1) }
    }

    private var tracker: ExerciseTracker? { trackers.first { $0.exercise.name == exercise?.name } }

    private mutating func gather(
        _ step: (inout ExerciseTracker, ReadingTrail) -> CoachedRepetition?
    ) -> [CoachedRepetition] {
        var completed: CoachedRepetition?
        for index in trackers.indices {
            let found = step(&trackers[index], follower.trail)
            if trackers[index].exercise.name == exercise?.name { completed = found }
        }
        return recognise() ? repetitions : completed.map { [$0] } ?? []
    }

    /// Whether the exercise is now another one.
    private mutating func recognise() -> Bool {
        guard isAutomatic, let best = trackers.max(by: { $0.evidence < $1.evidence }),
            best.exercise.name != exercise?.name,
            best.evidence > max(Self.enough, Self.advantage * (tracker?.evidence ?? 0))
        else { return false }
        exercise = best.exercise
        return true
    }
}
