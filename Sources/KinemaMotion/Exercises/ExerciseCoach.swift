public import Foundation
package import KinemaCore

/// Coaches one person, pose by pose: through a given exercise, or through the one it recognises.
///
/// An exercise is recognised by what its repetitions must show; the answer is there after about two of them and may be
/// revised while more is seen.
package struct ExerciseCoach: Sendable {
    /// The exercise: the one given, or the one recognised so far; nil while none is.
    package private(set) var exercise: Exercise?
    /// What the phase says while the joints are not seen.
    package static let lost = "tracking lost"

    private var follower: BodyFollower
    /// The newest reading; nil while the body is not seen.
    private var newest: BodyReading?
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

    /// Makes a coach that finds out which of some exercises it sees, in pictures of the given width divided by height.
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

    /// What the last seconds showed.
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

/// What a coach looks at in one picture, and what it makes of it.
package struct CoachLook: Sendable, Hashable {
    /// The measure that is followed; nil for a position that is held, and while no exercise is recognised.
    package var measure: BodyMeasure?
    /// Its value in the measure's unit; nil where the joints are missing.
    package var value: Double?
    /// What the value is in.
    package var unit: Fault.Unit?
    /// How sure the measure's joints are, 0...1.
    package var confidence: Float?
    /// Where the movement is: 0 at rest, 1 where a full repetition turns; nil where it is not followed.
    package var progress: Double?
    /// The joints that the exercise looks at.
    package var joints: Set<JointKey> = []
    /// A short line for the screen, such as "knee=124°", as FormKit's rules give it.
    package var debugMessage = ""
}

extension ExerciseCoach {
    /// For how long a coach says why a movement was no repetition, seconds: time to read it.
    private static let showing: TimeInterval = 2

    /// What the coach looks at in the newest picture.
    package var look: CoachLook {
        guard let tracker else { return CoachLook(debugMessage: watching) }
        var look = tracker.exercise.motion.map(look(at:)) ?? lookAtHold(tracker)
        if let refusal = tracker.refusals.last, let now = newest?.time, now - refusal.end < Self.showing {
            look.debugMessage += "; not counted: \(refusal.reason)"
        }
        return look
    }

    /// What speaks for the exercises so far.
    private var watching: String {
        let names = evidence.prefix(3).map { "\($0.exercise.name) \($0.seconds.text(1)) s" }
        return names.isEmpty ? "no repetition of any exercise yet" : names.joined(separator: ", ")
    }

    private func look(at motion: ExerciseMotion) -> CoachLook {
        let measure = newest.map(motion.followed(in:)) ?? motion.measure
        var look = CoachLook(measure: measure, unit: measure.unit)
        look.joints = Set(measure.joints + motion.guides.flatMap(\.measure.joints))
        guard let newest, newest[measure].isFinite else {
            look.debugMessage = "\(measure.name) not seen"
            return look
        }
        let (value, confidence) = (Double(newest[measure]), newest.confidence(of: measure))
        (look.value, look.confidence) = (value, confidence)
        look.progress = motion.progress(of: newest)?.value
        look.debugMessage = "\(measure.name)=\(measure.unit.text(value))"
        if confidence < motion.minimumConfidence {
            look.debugMessage +=
                " unsure: \(Double(confidence).text(2)), needs \(Double(motion.minimumConfidence).text(2))"
        }
        return look
    }

    /// A position is held while every trait is shown; the one that is shown least says why it is not.
    private func lookAtHold(_ tracker: ExerciseTracker) -> CoachLook {
        var look = CoachLook(joints: Set(tracker.exercise.traits.flatMap(\.measure.joints)))
        guard newest != nil else {
            look.debugMessage = "nobody in view"
            return look
        }
        look.debugMessage = tracker.worstTrait(trail)?.text ?? "every trait is shown"
        return look
    }
}

/// A movement that repeats but is no repetition of the exercise.
public struct RefusedMovement: Codable, Sendable, Hashable {
    /// When it begins and ends, seconds.
    public var start: TimeInterval, end: TimeInterval
    /// Why it is none, in words.
    public var reason: String

    /// Makes a movement from its beginning and end in seconds and the reason.
    package init(start: TimeInterval, end: TimeInterval, reason: String) {
        (self.start, self.end, self.reason) = (start, end, reason)
    }
}

extension ExerciseCoach {
    /// Those repetitions of a `RepetitionCounter` of which this coach found nothing, and why not.
    ///
    /// Call it after `finish()`. A position that is held has no repetitions, so nothing is refused.
    package func refused(of counted: [Repetition]) -> [RefusedMovement] {
        if let exercise, exercise.motion == nil { return [] }
        return counted.filter { one in
            !repetitions.contains { Self.overlap($0.start...max($0.start, $0.end), one) > 0 }
        }.map { RefusedMovement(start: $0.start, end: $0.end, reason: reason(for: $0)) }
    }

    private func reason(for movement: Repetition) -> String {
        guard let exercise, let motion = exercise.motion, let tracker else { return "no exercise was recognised" }
        let found = tracker.refusals.map { ($0, Self.overlap($0.start...max($0.start, $0.end), movement)) }
        guard let most = found.max(by: { $0.1 < $1.1 }), most.1 > 0 else {
            return "\(motion.measure.name) goes less far than in a \(exercise.title.lowercased())"
        }
        return most.0.reason
    }

    private static func overlap(_ time: ClosedRange<TimeInterval>, _ movement: Repetition) -> TimeInterval {
        min(time.upperBound, movement.end) - max(time.lowerBound, movement.start)
    }
}

extension Double {
    /// The number with so many decimals.
    func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}

/// Coaches everyone, or the most prominent person, each person separately.
package struct PeopleCoach: Sendable {
    /// One person and the coach that watches.
    package struct Person: Sendable {
        /// The person's number (`Pose.id`).
        package var id: Int
        /// What was seen of the person.
        package var coach: ExerciseCoach
    }

    /// A repetition, whose it is, and which of that person's it is, from 1.
    package typealias Event = PersonEvent<CoachedRepetition>

    private var coaches: PerPerson<ExerciseCoach>
    private var faulty: [Int: (joints: Set<JointKey>, until: TimeInterval)] = [:]
    /// How long a fault is shown after its repetition, seconds: time to look up and read it.
    private static let showing: TimeInterval = 1.5

    /// Makes a coach for people who all are coached as by `coach`, which has seen nothing yet.
    package init(scope: PersonScope, coach: ExerciseCoach) {
        coaches = PerPerson(scope: scope) { coach }
    }

    /// Takes everyone in a frame and returns the repetitions completed.
    @discardableResult
    package mutating func append(_ poses: [Pose], at time: TimeInterval) -> [Event] {
        numbered(coaches.append(poses, at: time))
    }

    /// Ends the stream and returns the repetitions that were all but complete.
    @discardableResult
    package mutating func finish() -> [Event] { numbered(coaches.finish()) }

    /// Everyone seen so far, by number.
    package var people: [Person] { coaches.people.map { Person(id: $0.person, coach: $0.step) } }

    /// The person with most repetitions: the one whose count and phase are shown.
    package var leader: Person? {
        people.max { ($0.coach.count, -$0.id) < ($1.coach.count, -$1.id) }
    }

    /// All repetitions of everyone.
    package var count: Int { coaches.people.reduce(0) { $0 + $1.step.count } }

    /// The joints at fault in repetitions that have just ended, by the person's number.
    package func faultyJoints(at time: TimeInterval) -> [Int: Set<JointKey>] {
        faulty.filter { $0.value.until >= time }.mapValues(\.joints)
    }

    /// A coach may take repetitions back, so their numbers are those they have now.
    private mutating func numbered(_ events: [Event]) -> [Event] {
        events.map { event in
            faulty[event.person] = (Set(event.event.faults.flatMap(\.joints)), event.event.end + Self.showing)
            var event = event
            let known = coaches.step(of: event.person)?.repetitions ?? []
            event.number = known.firstIndex { $0.start == event.event.start }.map { $0 + 1 } ?? event.number
            return event
        }
    }
}

extension ExerciseCoach: PersonStep {
    /// Whether the person neither repeated nor held anything.
    package var isEmpty: Bool { repetitions.isEmpty && holds.isEmpty }
}
