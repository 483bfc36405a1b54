import KinemaCore
import Foundation

/// Follows one exercise through the readings of one body.
struct ExerciseTracker: Sendable {
    let exercise: Exercise
    private(set) var repetitions: [CoachedRepetition] = []
    private(set) var holds: [HeldPosition] = []
    /// The phase, by the exercise's own names.
    private(set) var phase: String
    /// The fit of each repetition to the exercise's traits, 0...1.
    private(set) var fits: [Double] = []
    /// The progress of the movement: 0 at rest, 1 where a full repetition turns.
    private(set) var progress = 0.0
    /// The last refused movements with their reasons, oldest first.
    private(set) var refusals: [RefusedMovement] = []
    private static let mostRefusals = 1000

    private var swings: SwingTracker
    /// Follows the movement from its far end, where a set may begin there; nil once the start is known.
    private var inverse: SwingTracker?
    /// Whether this set begins at the far end.
    private var isInverted = false
    private var holding: HoldTracker
    private var lostSince: TimeInterval?
    private var newest = TimeInterval.infinity
    /// The times of cuts and of returns into sight, which no repetition spans.
    private var interruptions: [TimeInterval] = []
    private let shownProgress: ShownProgress?
    /// Repetitions of a shown exercise that were counted before their end was seen.
    private var pending: [Repetition] = []
    /// Its swings, which count if the counter finds nothing: one or two repetitions can only be counted by knowing the
    /// exercise.
    private var overlooked: [Repetition] = []
    /// The reviews of a shown exercise's last repetitions, oldest first.
    private(set) var reviews: [ShownReview] = []
    private static let mostReviews = 200
    /// The measures of a shown exercise that could be judged in at least one repetition.
    private(set) var judged: Set<BodyMeasure> = []

    /// The time without joints after which the current repetition is discarded, seconds.
    private static let patience: TimeInterval = 1.5
    /// A swing whose fit is below this is another movement.
    private static let leastFit = 0.05
    /// So is one that the counter missed and that takes less than this share of the shown duration.
    private static let leastTime = 0.4
    /// So is one with less than this share of the usual depth.
    private static let leastShare = 0.35
    /// A swing is a counter's cycle if their intersection over union in time is above this.
    private static let sameOverlap = 0.3
    /// The least swing of a shown exercise that counts for its phases, as a share of the shown one.
    private static let shownSwing = 0.5
    /// The seconds of a hold that weigh as much as one repetition, since many exercises contain holds.
    private static let secondsWorthRepetition: TimeInterval = 4

    init(_ exercise: Exercise) {
        self.exercise = exercise
        shownProgress = exercise.shown.map(ShownProgress.init)
        swings = SwingTracker(minimum: exercise.motion?.minimumShare ?? Self.shownSwing)
        inverse = exercise.motion?.startsEitherWay == true ? swings : nil
        holding = HoldTracker(exercise: exercise)
        phase = exercise.phases?.rest ?? "waiting"
    }

    var heldSeconds: TimeInterval { holds.reduce(holding.current ?? 0) { $0 + $1.end - $1.start } }

    /// The evidence for this exercise: about 1 for each repetition with all traits.
    var evidence: Double { fits.reduce(heldSeconds / Self.secondsWorthRepetition, +) }

    /// The time that the exercise explains, seconds: a burpee explains more than each squat in it.
    var explained: TimeInterval {
        zip(repetitions, fits).reduce(heldSeconds / Self.secondsWorthRepetition) { sum, repetition in
            sum + repetition.1 * (repetition.0.end - repetition.0.start)
        }
    }

    /// Takes the newest reading, which is the last in the trail, and returns the repetition it completes.
    mutating func take(_ reading: BodyReading, trail: ReadingTrail) -> CoachedRepetition? {
        let time = reading.time
        guard let phases = exercise.phases else {
            if let held = holding.push(reading, trail: trail) { holds.append(held) }
            phase = holding.isHeld ? "holding" : "waiting"
            return nil
        }
        guard let place = exercise.motion?.progress(of: reading) ?? shownProgress?.progress(of: reading) else {
            lose(at: time)
            return nil
        }
        // Missing frames count as frames without a person.
        if time - (lostSince ?? newest) > Self.patience { interrupt(at: time) }
        (lostSince, newest) = (nil, time)
        progress = place
        let swing = follow(place, at: time)
        phase = name(at: time, phases)
        return swing.flatMap { review($0, trail) }
    }

    /// Handles a frame without the joints: the current movement waits.
    mutating func lose(at time: TimeInterval) {
        lostSince = lostSince ?? (time - newest > Self.patience ? newest : time)
        newest = time
        if exercise.isHold, let held = holding.lose(at: time) { holds.append(held) }
        phase = ExerciseCoach.lost
    }

    mutating func interrupt(at time: TimeInterval) {
        interruptions = interruptions.suffix(Self.mostRefusals - 1) + [time]
        swings.interrupt()
        inverse?.interrupt()
    }

    /// Ends the recording: its repetitions are now those of the given cycles that are the exercise, and elsewhere its own.
    mutating func finish(_ cycles: [Repetition], trail: ReadingTrail) {
        if let held = holding.finish() { holds.append(held) }
        if let last = swings.finish() { _ = review(last, trail) }
        if exercise.shown != nil {
            settle(cycles, trail: trail)
            _ = take([], isEnd: true, trail: trail)
        } else if let motion = exercise.motion, !cycles.isEmpty {
            settle(cycles, motion, trail)
        }
    }

    /// Replaces the swings by the counter's cycles where there are any. All cycles of a set count if half
    /// of them are the exercise.
    private mutating func settle(_ cycles: [Repetition], _ motion: ExerciseMotion, _ trail: ReadingTrail) {
        var own = zip(repetitions, fits).map { (repetition: $0, fit: $1) }
        var settled: [(repetition: CoachedRepetition, fit: Double)] = []
        for set in cycles.sets {
            let reviewed = set.compactMap { cycle -> (repetition: CoachedRepetition, fit: Double)? in
                let place = own.indices.max {
                    own[$0].repetition.span.overlap(with: cycle) < own[$1].repetition.span.overlap(with: cycle)
                }
                if let place, own[place].repetition.span.overlap(with: cycle) > Self.sameOverlap {
                    return own.remove(at: place)
                }
                return review(cycle, motion, trail)
            }
            let sure = reviewed.filter { $0.fit >= Self.leastFit }
            let isExercise = 2 * sure.count >= reviewed.count
            settled += isExercise ? reviewed : sure
            for (one, fit) in reviewed where !isExercise && fit < Self.leastFit {
                if one.depth != nil {
                    refuse(one.span, misfit(trail, one.span))
                } else if motion.swing(one.span, trail) == nil {
                    refuse(one.span, "\(motion.measure.name) is not seen")
                }
            }
        }
        settled += own.filter { $0.repetition.span.share(in: cycles) < Self.sameOverlap }
        settled.sort { $0.repetition.start < $1.repetition.start }
        (repetitions, fits) = (settled.map(\.repetition), settled.map(\.fit))
    }

    /// Reviews a counter's cycle that is no swing; nil if the exercise's measure moves too little in it, or does not
    /// return.
    private mutating func review(
        _ cycle: Repetition, _ motion: ExerciseMotion, _ trail: ReadingTrail
    ) -> (repetition: CoachedRepetition, fit: Double)? {
        guard let (swing, isInverted) = motion.swing(cycle, trail) else { return (CoachedRepetition(unseen: cycle), 0) }
        guard swing.range >= Self.leastShare * motion.minimumShare else { return nil }
        var reason: String?
        if !motion.duration.contains(swing.duration) { reason = "took \(swing.duration.text(1)) s" }
        if !swing.isSeenToItsEnd, !swing.hasReturned { reason = "the recording ends before the return" }
        if interruptions.contains(where: { cycle.start < $0 && $0 < cycle.end }) { reason = "the view is interrupted" }
        if let reason {
            refuse(cycle, reason)
            return nil
        }
        // Counts in a set of the exercise, but is not evidence for it.
        guard swing.range >= motion.minimumShare else { return (CoachedRepetition(unseen: cycle), 0) }
        let review = RepetitionReview(
            exercise: exercise, motion: motion, swing: swing, isInverted: isInverted, trail: trail)
        return (review.repetition(), review.fit)
    }

    /// Withdraws the repetitions of a shown exercise that the whole recording cuts differently, to review its cycles
    /// instead. Repetitions older than the trail stay.
    mutating func settle(_ cycles: [Repetition], trail: ReadingTrail) {
        guard let first = trail.readings.first?.time else { return }
        let kept = repetitions.indices.filter { index in
            let one = repetitions[index]
            return one.start < first || cycles.contains { $0.start == one.start && $0.end == one.end }
        }
        (repetitions, fits) = (kept.map { repetitions[$0] }, kept.map { fits[$0] })
        let known = Set(repetitions.map(\.start))
        reviews.removeAll { $0.start >= first && !known.contains($0.start) }
        pending = cycles.filter { $0.start >= first && !known.contains($0.start) }
    }

    mutating func take(_ cycles: [Repetition], isEnd: Bool, trail: ReadingTrail) -> [CoachedRepetition] {
        guard let shown = exercise.shown else { return [] }
        pending += cycles
        if isEnd, pending.isEmpty, repetitions.isEmpty {
            pending = overlooked.filter { cycle in
                cycle.end - cycle.start >= Self.leastTime * shown.tempo.whole.mean
                    && RepetitionCourse(trail, from: cycle.start, to: cycle.end).flatMap { ShownReview($0, shown) }
                        != nil
            }
        }
        // The counter reports some before they end.
        let now = isEnd ? .infinity : trail.readings.last?.time ?? 0
        let ended = pending.filter { now >= $0.end }
        pending.removeAll(where: ended.contains)
        return ended.map { review(shown, $0, trail) }
    }

    private mutating func review(_ shown: ShownExercise, _ cycle: Repetition, _ trail: ReadingTrail)
        -> CoachedRepetition
    {
        // Counts even if too little is seen to compare.
        var (one, fit) = (CoachedRepetition(unseen: cycle), 0.0)
        let course = RepetitionCourse(trail, from: cycle.start, to: cycle.end)
        if let review = course.flatMap({ ShownReview($0, shown) }) {
            reviews = reviews.suffix(Self.mostReviews - 1) + [review]
            judged.formUnion(review.judged.map { review.own($0.measure) })
            (one, fit) = (review.repetition, review.fit)
        }
        let place = repetitions.firstIndex { $0.start > one.start } ?? repetitions.endIndex
        repetitions.insert(one, at: place)
        fits.insert(fit, at: place)
        return one
    }

    private mutating func follow(_ value: Double, at time: TimeInterval) -> Swing? {
        let swing = swings.push(isInverted ? 1 - value : value, at: time)
        guard let other = inverse?.push(1 - value, at: time) else {
            if swing != nil { inverse = nil }
            return swing
        }
        // The set began at the far end if the first complete repetition was found from there.
        if let inverse { swings = inverse }
        inverse = nil
        isInverted = true
        return other
    }

    private mutating func review(_ swing: Swing, _ trail: ReadingTrail) -> CoachedRepetition? {
        guard let motion = exercise.motion else {
            overlooked.append(swing.span)
            return nil
        }
        guard motion.duration.contains(swing.duration) else {
            refuse(swing.span, "took \(swing.duration.text(1)) s")
            return nil
        }
        let review = RepetitionReview(
            exercise: exercise, motion: motion, swing: swing, isInverted: isInverted, trail: trail)
        let fit = review.fit
        guard fit >= Self.leastFit else {
            refuse(swing.span, misfit(trail, swing.span))
            return nil
        }
        let repetition = review.repetition()
        take(repetition, fit: fit)
        // Compares the starts, since missing measures are NaN, which equal nothing.
        return repetitions.last?.start == repetition.start ? repetition : nil
    }

    private func misfit(_ trail: ReadingTrail, _ span: Repetition) -> String {
        exercise.worstTrait(in: trail.between(span.start, span.end))?.text ?? "does not match well enough"
    }

    private mutating func refuse(_ movement: Repetition, _ reason: String) {
        if refusals.count == Self.mostRefusals { refusals.removeFirst(Self.mostRefusals / 2) }
        refusals.append(RefusedMovement(start: movement.start, end: movement.end, reason: reason))
    }

    /// Adds a repetition, and removes earlier ones that turn out to be something else, such as steps.
    private mutating func take(_ repetition: CoachedRepetition, fit: Double) {
        repetitions.append(repetition)
        fits.append(fit)
        let depths = repetitions.compactMap(\.depth).sorted()
        let least = depths.isEmpty ? 0 : Self.leastShare * depths[depths.count / 2]
        let kept = repetitions.indices.filter { repetitions[$0].depth ?? least >= least }
        guard kept.count < repetitions.count else { return }
        repetitions = kept.map { repetitions[$0] }
        fits = kept.map { fits[$0] }
    }

    /// The trait that the current position shows least.
    func worstTrait(_ trail: ReadingTrail) -> TraitMisfit? {
        guard let last = trail.readings.last else { return nil }
        return exercise.worstTrait(in: trail.between(last.time - HoldTracker.window, last.time))
    }

    private func name(at time: TimeInterval, _ names: PhaseNames) -> String {
        switch swings.state {
        case .rest: isInverted ? names.far : names.rest
        case .away where swings.rests(at: time): isInverted ? names.rest : names.far
        case .away: isInverted ? names.back : names.away
        case .back: isInverted ? names.away : names.back
        }
    }
}

extension ExerciseTracker {
    /// The time over which present faults are judged, seconds: a few frames, so that one bad frame does not decide.
    private static let moment: TimeInterval = 0.3
    /// The progress from which the movement is near enough to its far end for the rules of that end.
    private static let nearFar = 0.7

    /// The faults of the last moments, without those of whole repetitions, such as depth.
    func faultsNow(_ trail: ReadingTrail) -> [Fault] {
        guard let last = trail.readings.last else { return [] }
        let window = Array(trail.between(last.time - Self.moment, last.time))
        let isFar = exercise.motion != nil && progress >= Self.nearFar
        guard isFar || exercise.isHold && phase == "holding" else { return [] }
        let view = window.view
        return exercise.faults.compactMap { rule in
            guard rule.phase != .rest, ![.shallow, .notLockedOut].contains(rule.code) else { return nil }
            if case .measure(_, .range) = rule.quantity { return nil }
            return FaultFinder(rule: rule, window: window, duration: nil, view: view).fault(phase: phase)
        }
    }
}

extension ExerciseCoach {
    /// The faults of the current posture, before the repetition ends.
    package var faultsNow: [Fault] { phase == Self.lost ? [] : tracker?.faultsNow(trail) ?? [] }
}

extension FaultCode {
    /// The fault in words for people, such as "knees in".
    package var title: String { rawValue.replacing("_", with: " ") }
}

extension Collection<Repetition> {
    /// The repetitions in order of time, divided where a pause is longer than two of them take.
    fileprivate var sets: [[Repetition]] {
        reduce(into: []) { sets, one in
            if let last = sets.last?.last, one.start - last.end <= 2 * Swift.max(last.duration, one.duration) {
                sets[sets.count - 1].append(one)
            } else {
                sets.append([one])
            }
        }
    }
}
