package import KinemaMotion
package import Foundation
package import KinemaCore

/// Coaches one person, pose by pose, through a given or a recognised exercise.
///
/// An exercise is recognised by the traits of about two repetitions; the result may be revised later.
package struct ExerciseCoach: Sendable {
    /// The given or recognised exercise; nil while unknown.
    package private(set) var exercise: Exercise?
    /// The phase while the joints are not visible.
    package static let lost = "tracking lost"

    private var follower: BodyFollower
    /// Counts any movement: the repetitions of a shown exercise, and at the end those of every other one.
    private var counter: RepetitionCounter
    /// The newest reading; nil while the body is not seen.
    private(set) var newest: BodyReading?
    private var trackers: [ExerciseTracker]
    private let isAutomatic: Bool
    /// The evidence in repetitions that recognises an exercise, during a recording and at its end.
    private static let (enough, enoughAtEnd) = (1.5, 0.5)
    /// The share of the counter's repetitions that are of the recognised exercise; the share of a held position in which
    /// repetitions may be counted, and how many speak against it. Of 204 labelled recordings in which an exercise was
    /// recognised, these leave 13 of 55 wrong names out, and 4 of 149 right ones, of which most repetitions were missed.
    private static let (leastShare, mostMoved, leastAgainstHold) = (0.42, 0.5, 3)
    /// The factor of evidence by which another exercise replaces the recognised one.
    private static let advantage = 1.15

    /// Makes a coach for one exercise, in pictures of the given width divided by height.
    package init(_ exercise: Exercise, aspectRatio: Double = 4.0 / 3) {
        self.init([exercise], isAutomatic: false, aspectRatio)
        self.exercise = exercise
    }

    /// Makes a coach that recognises one of some exercises, in pictures of the given width divided by height.
    package init(recognising exercises: [Exercise] = ExerciseLibrary.all, aspectRatio: Double = 4.0 / 3) {
        self.init(exercises, isAutomatic: true, aspectRatio)
    }

    private init(_ exercises: [Exercise], isAutomatic: Bool, _ aspectRatio: Double) {
        self.isAutomatic = isAutomatic
        trackers = exercises.map(ExerciseTracker.init)
        counter = RepetitionCounter(aspectRatio: aspectRatio, expecting: .exercise)
        // The counter may find repetitions when the recording ends.
        follower = BodyFollower(aspectRatio: aspectRatio, memory: Demonstration.memory)
    }

    /// The repetitions of the exercise so far, in order of time. A later one may remove shallow earlier ones, and
    /// `finish()` corrects them.
    package var repetitions: [CoachedRepetition] { tracker?.repetitions ?? [] }
    package var count: Int { repetitions.count }
    package var holds: [HeldPosition] { tracker?.holds ?? [] }
    package var heldSeconds: TimeInterval { tracker?.heldSeconds ?? 0 }
    /// The phase, by the exercise's own names; `lost` while the joints are not seen.
    package var phase: String { tracker?.phase ?? "watching" }
    /// The progress of the movement: 0 at rest, 1 where a full repetition turns.
    package var progress: Double { tracker?.progress ?? 0 }
    /// The evidence for each exercise, strongest first: the seconds it explains.
    package var evidence: [(exercise: Exercise, seconds: TimeInterval)] {
        trackers.map { ($0.exercise, $0.explained) }.filter { $0.1 > 0 }.sorted { $0.1 > $1.1 }
    }

    /// The progress in one of the exercises: 0 at rest, 1 where a full repetition turns.
    package func progress(of exercise: Exercise) -> Double {
        trackers.first { $0.exercise.name == exercise.name }?.progress ?? 0
    }
    package var candidates: [Exercise] { trackers.map(\.exercise) }

    /// Takes the pose of the next picture, nil when the person is not seen, and returns the completed repetitions. The
    /// first ones return together, once the exercise is recognised.
    @discardableResult
    package mutating func append(_ pose: Pose?, at time: TimeInterval) -> [CoachedRepetition] {
        let cycles = counter.append(pose, at: time)
        switch follower.follow(pose, at: time) {
        case .lost:
            newest = nil
            for index in trackers.indices { trackers[index].lose(at: time) }
            return gather(cycles) { _, _ in nil }
        case .reading(let reading, let isCut):
            newest = reading
            if isCut { for index in trackers.indices { trackers[index].interrupt(at: time) } }
            return gather(cycles) { $0.take(reading, trail: $1) }
        }
    }

    /// Ends the recording and returns the repetitions that were not reported before. They are now the counter's for the
    /// whole recording, so some that were reported may be cut differently or missing; if it finds none, they stay.
    @discardableResult
    package mutating func finish() -> [CoachedRepetition] {
        let (reported, before) = (repetitions.map(\.span), exercise?.name)
        _ = counter.finish()
        for index in trackers.indices { trackers[index].finish(counter.repetitions, trail: follower.trail) }
        if isAutomatic, let tracker, !isBorneOut(tracker) { exercise = nil }
        recognise(isEnd: true)
        guard exercise?.name == before else { return repetitions }
        return repetitions.filter { $0.span.share(in: reported) < CountingConfiguration().mostShared }
    }

    /// The repetitions of any movement that the counter found.
    package var counted: [Repetition] { counter.repetitions }
    /// The position in any repeated movement, see `RepetitionCounter.signal`.
    package var signal: Float? { counter.signal }
    var trail: ReadingTrail { follower.trail }
    /// Where left and right were exchanged, in words; nil if nowhere.
    package var sidesNote: String? { follower.sides.note }
    /// The comparisons of the last repetitions of a shown exercise with it.
    package var reviews: [ShownReview] { tracker?.reviews ?? [] }
    /// What could not be judged in any repetition of a shown exercise, in words for people; empty if nothing.
    package var unjudged: [String] {
        guard let tracker, let shown = exercise?.shown, !repetitions.isEmpty else { return [] }
        guard !tracker.judged.isEmpty else { return ["the form, which was shown from another view"] }
        return Set(shown.measures.map(\.measure.traits.part)).subtracting(tracker.judged.map(\.traits.part)).sorted()
    }

    var tracker: ExerciseTracker? { trackers.first { $0.exercise.name == exercise?.name } }

    private mutating func gather(
        _ cycles: [Repetition],
        _ step: (inout ExerciseTracker, ReadingTrail) -> CoachedRepetition?
    ) -> [CoachedRepetition] {
        var completed: [CoachedRepetition] = []
        for index in trackers.indices {
            var found = step(&trackers[index], follower.trail).map { [$0] } ?? []
            found += trackers[index].take(cycles, isEnd: false, trail: follower.trail)
            if trackers[index].exercise.name == exercise?.name { completed = found }
        }
        return recognise(isEnd: false) ? repetitions : completed
    }

    @discardableResult
    private mutating func recognise(isEnd: Bool) -> Bool {
        guard isAutomatic else { return false }
        let least = isEnd ? Self.enoughAtEnd : Self.enough
        let before = (tracker?.explained ?? 0) * (isEnd ? 1 : Self.advantage)
        let possible = trackers.filter { $0.evidence > least && (!isEnd || isBorneOut($0)) }
        let best = possible.max { $0.explained < $1.explained }
        guard let best, best.exercise.name != exercise?.name, best.explained > before else { return false }
        exercise = best.exercise
        return true
    }

    /// Whether the counter, which knows no exercises, found about as much at the end: many more repetitions are of another
    /// movement, and of several repetitions of an exercise it finds some.
    private func isBorneOut(_ tracker: ExerciseTracker) -> Bool {
        let found = counter.repetitions
        if tracker.exercise.isHold {
            let moved = found.reduce(0) { $0 + $1.duration }
            return found.count < Self.leastAgainstHold || moved < Self.mostMoved * tracker.heldSeconds
        }
        guard tracker.isHumanlyPossible else { return false }
        guard !found.isEmpty else { return tracker.repetitions.count < 2 }
        return Double(tracker.repetitions.count) >= Self.leastShare * Double(found.count)
    }
}

extension ExerciseTracker {
    /// The share of the least good duration below which no body does an exercise: a lunge in half a second is a step.
    private static let leastDuration = 0.5

    /// Whether most repetitions take as long as a body needs for them.
    fileprivate var isHumanlyPossible: Bool {
        let least = exercise.faults.first { $0.code == .tooFast && $0.quantity == .duration }?.expected
        let durations = repetitions.map { $0.end - $0.start }.sorted()
        guard let least, !durations.isEmpty else { return true }
        return durations[durations.count / 2] >= Self.leastDuration * least
    }
}

extension ExerciseCoach: PersonStep {
    package var isEmpty: Bool { repetitions.isEmpty && holds.isEmpty && counted.isEmpty }
}

/// The coach's measurement in one frame, for the debug display.
package struct CoachLook: Sendable, Hashable {
    /// The followed measure; nil for a hold, and while no exercise is recognised.
    package var measure: BodyMeasure?
    /// Its value in the measure's unit; nil where the joints are missing.
    package var value: Double?
    package var unit: Fault.Unit?
    /// The confidence of the measure's joints, 0...1.
    package var confidence: Float?
    /// The progress of the movement: 0 at rest, 1 where a full repetition turns; nil where it is not followed.
    package var progress: Double?
    package var joints: Set<JointKey> = []
    /// A short line for the screen, such as "knee=124°", in the style of FormKit's rules.
    package var debugMessage = ""
}

extension ExerciseCoach {
    /// The display time of the reason why a movement was refused, seconds.
    private static let showing: TimeInterval = 2

    package var look: CoachLook {
        guard let tracker else { return CoachLook(debugMessage: watching) }
        let progress = "progress=\(tracker.progress.text(2))"
        var look =
            tracker.exercise.isHold
            ? lookAtHold(tracker)
            : tracker.exercise.motion.map(look(at:)) ?? CoachLook(progress: tracker.progress, debugMessage: progress)
        if let refusal = tracker.refusals.last, let now = newest?.time, now - refusal.end < Self.showing {
            look.debugMessage += "; not counted: \(refusal.reason)"
        }
        return look
    }

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
        look.progress = motion.progress(of: newest)
        look.debugMessage = "\(measure.name)=\(measure.unit.text(value))"
        if confidence < motion.minimumConfidence {
            look.debugMessage +=
                " unsure: \(Double(confidence).text(2)), needs \(Double(motion.minimumConfidence).text(2))"
        }
        return look
    }

    /// A position is held while every trait is shown; the weakest trait gives the reason otherwise.
    private func lookAtHold(_ tracker: ExerciseTracker) -> CoachLook {
        var look = CoachLook(joints: Set(tracker.exercise.traits.flatMap(\.measure.joints)))
        look.debugMessage =
            newest == nil ? "no person in view" : tracker.worstTrait(trail)?.text ?? "every trait matches"
        return look
    }
}

package struct CoachedRepetition: Sendable, Hashable {
    /// The times of leaving the resting posture and of returning to it, seconds.
    package var start, end: TimeInterval
    /// The share of a full repetition's range, 1 or more for all of it; nil if too little is seen.
    package var depth: Double?
    package var tempo: Tempo
    /// The smaller side's range as a share of the larger, 0...1; nil unless both sides are seen throughout.
    package var symmetry: Double?
    /// The side that moved, if only one did.
    package var side: BodySide?
    package var faults: [Fault]
    /// How similar it is to a shown exercise, 0...100; nil for other exercises and if too little is seen.
    package var likeness: Double?

    var span: Repetition { Repetition(start: start, end: end, confidence: 1) }

    /// Seconds in each part of a repetition.
    package struct Tempo: Sendable, Hashable {
        /// The lowering phase, such as a squat's descent.
        package var eccentric: TimeInterval
        package var pause: TimeInterval
        /// The lifting phase, such as a squat's ascent.
        package var concentric: TimeInterval
    }
}

extension CoachedRepetition {
    /// A repetition of which too little is seen to judge.
    init(unseen cycle: Repetition) {
        let half = cycle.duration / 2
        self.init(
            start: cycle.start, end: cycle.end, depth: nil,
            tempo: .init(eccentric: half, pause: 0, concentric: half), symmetry: nil, side: nil, faults: [])
    }
}

/// Coaches everyone, or the most prominent person, each person separately.
package struct PeopleCoach: Sendable {
    package struct Person: Sendable {
        /// The person's number (`Pose.id`).
        package var id: Int
        package var coach: ExerciseCoach
        /// The time of the cut with which the person came, in seconds; nil without one.
        package var cut: TimeInterval?
    }

    /// A repetition, its person, and its number for that person, from 1.
    package typealias Event = PersonEvent<CoachedRepetition>

    private var coaches: PerPerson<ExerciseCoach>
    private var faulty: [Int: (joints: Set<JointKey>, until: TimeInterval)] = [:]
    /// The display time of a fault after its repetition, seconds.
    private static let showing: TimeInterval = 1.5

    /// Coaches everyone with a copy of `coach`, which must be new.
    package init(scope: PersonScope, coach: ExerciseCoach) { coaches = PerPerson(scope: scope) { coach } }

    /// Adds everyone in a frame and returns the completed repetitions.
    @discardableResult
    package mutating func append(_ poses: [Pose], at time: TimeInterval) -> [Event] {
        numbered(coaches.append(poses, at: time))
    }

    /// Ends the stream and returns the repetitions that were almost complete.
    @discardableResult
    package mutating func finish() -> [Event] { numbered(coaches.finish()) }

    package var people: [Person] { coaches.people.map { Person(id: $0.person, coach: $0.step, cut: $0.cut) } }

    /// The person with most repetitions, whose count and phase are shown.
    package var leader: Person? { people.max { ($0.coach.count, $1.id) < ($1.coach.count, $0.id) } }

    package var count: Int { coaches.people.reduce(0) { $0 + $1.step.count } }

    /// The joints at fault in repetitions that have just ended, by the person's number.
    package func faultyJoints(at time: TimeInterval) -> [Int: Set<JointKey>] {
        faulty.filter { $0.value.until >= time }.mapValues(\.joints)
    }

    /// Numbers the events by the current repetitions, since a coach may remove some.
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
