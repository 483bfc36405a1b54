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
    /// The swings of a shown exercise, which count only if the counter finds none.
    private var overlooked: [Swing] = []
    /// Repetitions that have been counted but whose end has not been seen.
    private var pending: [(TimeInterval, TimeInterval)] = []
    private var newest = TimeInterval.infinity
    /// The reviews of a shown exercise's last repetitions, oldest first.
    private(set) var reviews: [ShownReview] = []
    private static let mostReviews = 200
    /// The measures of a shown exercise that could be judged in some repetition.
    private(set) var judged: Set<BodyMeasure> = []
    /// The first reading of the movement under way, to which heights are compared.
    private var base: BodyReading?

    /// The time without joints after which the current repetition is discarded, seconds.
    private static let patience: TimeInterval = 1.5
    /// A swing that fits less than this is another movement.
    private static let leastFit = 0.05
    /// As is one of less than this share of the usual depth.
    private static let leastShare = 0.35
    /// The seconds of a hold that weigh as much as one repetition, since many exercises contain holds.
    private static let secondsWorthRepetition: TimeInterval = 4

    init(_ exercise: Exercise) {
        self.exercise = exercise
        swings = SwingTracker(minimum: exercise.motion?.minimumShare ?? (exercise.shown == nil ? 1 : Self.shownSwing))
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
        if let shown = exercise.shown { return follow(shown, reading) }
        guard let motion = exercise.motion else {
            if let held = holding.push(reading, trail: trail) { holds.append(held) }
            phase = holding.isHeld ? "holding" : "waiting"
            return nil
        }
        guard let place = motion.progress(of: reading) else {
            lose(at: time)
            return nil
        }
        // Frames that are missing count as such without anybody.
        if time - (lostSince ?? newest) > Self.patience { interrupt() }
        (lostSince, newest) = (nil, time)
        progress = place.value
        let swing = follow(place.value, at: time)
        phase = name(at: time, motion.phases)
        return swing.flatMap { review($0, trail) }
    }

    /// Handles a frame without the joints: the current movement waits.
    mutating func lose(at time: TimeInterval) {
        lostSince = lostSince ?? (time - newest > Self.patience ? newest : time)
        newest = time
        if exercise.isHold, let held = holding.lose(at: time) { holds.append(held) }
        phase = ExerciseCoach.lost
    }

    mutating func interrupt() {
        swings.interrupt()
        inverse?.interrupt()
    }

    /// Ends the recording and returns the repetition that was almost complete.
    mutating func finish(trail: ReadingTrail) -> CoachedRepetition? {
        if let held = holding.finish() { holds.append(held) }
        guard exercise.shown == nil else { return nil }
        return swings.finish().flatMap { review($0, trail) }
    }

    /// The least swing of a shown exercise that the counter may have overlooked, as a share of that shown.
    private static let shownSwing = 0.5

    /// Follows the progress of a shown exercise, whose repetitions the counter cuts.
    private mutating func follow(_ shown: ShownExercise, _ reading: BodyReading) -> CoachedRepetition? {
        if swings.state == .rest, abs(progress) < 0.1 || base == nil { base = reading }
        guard let place = shown.progress(of: reading, base: base), let names = exercise.phases else {
            lose(at: reading.time)
            return nil
        }
        if reading.time - (lostSince ?? newest) > Self.patience { interrupt() }
        (lostSince, newest, progress) = (nil, reading.time, min(1.8, max(-0.4, place)))
        if let swing = swings.push(progress, at: reading.time) { overlooked.append(swing) }
        phase = name(at: reading.time, names)
        return nil
    }

    /// Takes repetitions that the counter found and returns them reviewed.
    mutating func take(_ cycles: [Repetition], isEnd: Bool, trail: ReadingTrail) -> [CoachedRepetition] {
        guard let shown = exercise.shown else { return [] }
        pending += cycles.map { ($0.start, $0.end) }
        if isEnd, pending.isEmpty, repetitions.isEmpty {
            // A single repetition, or a few unlike ones, that only who knows the exercise can count.
            pending = (overlooked + [swings.finish()].compactMap(\.self)).map { ($0.start, $0.end) }
        }
        // The counter reports some before they end.
        let now = trail.readings.last?.time ?? .infinity
        let ended = pending.filter { isEnd || now >= $0.1 + RepetitionCourse.margin * ($0.1 - $0.0) }
        pending.removeAll { one in ended.contains { $0 == one } }
        return ended.compactMap { start, end in review(shown, from: start, to: end, trail) }
    }

    private mutating func review(
        _ shown: ShownExercise, from start: TimeInterval, to end: TimeInterval, _ trail: ReadingTrail
    ) -> CoachedRepetition? {
        let course = RepetitionCourse(trail, from: start, to: end)
        guard let review = course.flatMap({ ShownReview($0, shown) }) else {
            // Counted, but too little is seen to compare.
            var one = CoachedRepetition(
                start: start, end: end, depth: 0, tempo: .init(eccentric: 0, pause: 0, concentric: 0), symmetry: nil,
                side: nil, faults: [])
            (one.tempo.eccentric, one.tempo.concentric) = ((end - start) / 2, (end - start) / 2)
            insert(one, fit: 0)
            return one
        }
        reviews = reviews.suffix(Self.mostReviews - 1) + [review]
        judged.formUnion(review.judged.map { review.course.isMirrored ? $0.measure.mirrored.measure : $0.measure })
        let one = review.repetition
        insert(one, fit: review.likeness / 100)
        return one
    }

    private mutating func insert(_ one: CoachedRepetition, fit: Double) {
        let place = repetitions.firstIndex { $0.start > one.start } ?? repetitions.endIndex
        repetitions.insert(one, at: place)
        fits.insert(fit, at: place)
    }

    private mutating func follow(_ value: Double, at time: TimeInterval) -> Swing? {
        let swing = swings.push(isInverted ? 1 - value : value, at: time)
        guard let other = inverse?.push(1 - value, at: time) else {
            if swing != nil { inverse = nil }
            return swing
        }
        // The set began at the far end: from there the first repetition was complete first.
        if let inverse { swings = inverse }
        inverse = nil
        isInverted = true
        return other
    }

    private mutating func review(_ swing: Swing, _ trail: ReadingTrail) -> CoachedRepetition? {
        guard let motion = exercise.motion else { return nil }
        guard motion.duration.contains(swing.duration) else {
            refuse(swing, "took \(swing.duration.text(1)) s")
            return nil
        }
        let review = RepetitionReview(
            exercise: exercise, motion: motion, swing: swing, isInverted: isInverted, trail: trail)
        let fit = review.fit
        guard fit >= Self.leastFit else {
            let window = trail.between(swing.start, swing.end)
            refuse(swing, exercise.worstTrait(in: window)?.text ?? "does not match well enough")
            return nil
        }
        let repetition = review.repetition()
        take(repetition, fit: fit)
        // Compares the starts, since missing measures are NaN, which equal nothing.
        return repetitions.last?.start == repetition.start ? repetition : nil
    }

    private mutating func refuse(_ swing: Swing, _ reason: String) {
        if refusals.count == Self.mostRefusals { refusals.removeFirst(Self.mostRefusals / 2) }
        refusals.append(RefusedMovement(start: swing.start, end: swing.end, reason: reason))
    }

    /// Adds a repetition, and removes earlier ones that were something else, such as steps.
    private mutating func take(_ repetition: CoachedRepetition, fit: Double) {
        repetitions.append(repetition)
        fits.append(fit)
        let depths = repetitions.map(\.depth).sorted()
        let least = Self.leastShare * depths[depths.count / 2]
        let kept = repetitions.indices.filter { repetitions[$0].depth >= least }
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
    /// From here on the movement is near enough to its far end for the rules of that end.
    private static let nearFar = 0.7

    /// The faults of the last moments, without those of whole repetitions, such as depth.
    func faultsNow(_ trail: ReadingTrail) -> [Fault] {
        guard let last = trail.readings.last else { return [] }
        let window = Array(trail.between(last.time - Self.moment, last.time))
        let isFar = exercise.motion != nil && progress >= Self.nearFar
        guard isFar || exercise.isHold && phase == "holding" else { return [] }
        let view = window.value(.view, .middle).map { BodyView(degrees: Float($0)) }
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
