public import Foundation
public import KinemaCore

/// Coaches one person through one exercise, pose by pose.
public struct ExerciseCoach: Sendable {
    /// The exercise.
    public let exercise: Exercise
    /// The repetitions so far.
    public private(set) var repetitions: [CoachedRepetition] = []
    /// The positions held so far.
    public private(set) var holds: [HeldPosition] = []
    /// What the person is doing, by the exercise's own names; "tracking lost" while the joints are not seen.
    public private(set) var phase: String

    private var reader: BodyReader
    private var smooth: BodyReading?
    private var trail = ReadingTrail()
    private var tracker: SwingTracker
    /// Follows the movement from its far end, where a set may begin there; nil once it is known where this one did.
    private var inverse: SwingTracker?
    /// Whether this set begins at the far end.
    private var isInverted = false
    private var holding: HoldTracker
    private var cut = CutDetector()
    private var lostSince: TimeInterval?
    /// The mean fit of the repetitions, for telling exercises apart.
    package private(set) var fits: [Double] = []

    /// What is shown while the joints are not seen.
    public static let lost = "tracking lost"
    /// How long joints may be out of sight before the repetition under way is given up, seconds.
    private static let patience: TimeInterval = 1.5
    /// Time constant of the smoothing beyond the pose's own, seconds.
    private static let smoothing: Float = 0.05
    /// A swing that fits less than this is another movement.
    private static let leastFit = 0.05
    /// As is one of less than this share of the usual depth.
    private static let leastShare = 0.4

    /// Makes a coach for pictures of the given width divided by height.
    public init(_ exercise: Exercise, aspectRatio: Double = 4.0 / 3) {
        self.exercise = exercise
        reader = BodyReader(aspectRatio: aspectRatio)
        tracker = SwingTracker(minimum: exercise.motion?.minimumShare ?? 1)
        inverse = exercise.motion?.startsEitherWay == true ? tracker : nil
        holding = HoldTracker(exercise: exercise)
        phase = exercise.motion?.phases.rest ?? "waiting"
    }

    /// How many repetitions were completed.
    public var count: Int { repetitions.count }

    /// How long the position was held altogether, seconds.
    public var heldSeconds: TimeInterval { holds.reduce(holding.current ?? 0) { $0 + $1.end - $1.start } }

    /// Takes the pose of the next picture, nil when the person is not seen, and returns the repetition it completes.
    @discardableResult
    public mutating func append(_ pose: Pose?, at time: TimeInterval) -> CoachedRepetition? {
        guard let pose, let flat = BodyJoints(pose, aspectRatio: reader.aspectRatio), let size = flat.torsoLength,
            let raw = reader.read(pose, at: time)
        else {
            lose(at: time)
            return nil
        }
        if cut.isCut(flat, size: size, at: time) { startAnew() }
        return take(raw, at: time)
    }

    /// Ends the recording and returns the repetition that was all but complete.
    @discardableResult
    public mutating func finish() -> CoachedRepetition? {
        if let held = holding.finish() { holds.append(held) }
        return tracker.finish().flatMap { review($0) }
    }

    private mutating func take(_ raw: BodyReading, at time: TimeInterval) -> CoachedRepetition? {
        var reading = smooth ?? raw
        let interval = Float(max(0, time - reading.time))
        reading.approach(raw, by: smooth == nil ? 1 : interval / (interval + Self.smoothing))
        smooth = reading
        trail.append(reading)
        guard let motion = exercise.motion else {
            if let held = holding.push(reading, trail: trail) { holds.append(held) }
            phase = holding.isHeld ? "holding" : "waiting"
            return nil
        }
        guard let progress = motion.progress(of: reading) else {
            lose(at: time)
            return nil
        }
        if let lostSince, time - lostSince > Self.patience { interrupt() }
        lostSince = nil
        let swing = follow(progress.value, at: time)
        phase = name(of: tracker.state, at: time, motion.phases)
        return swing.flatMap { review($0) }
    }

    private mutating func follow(_ value: Double, at time: TimeInterval) -> Swing? {
        let swing = tracker.push(isInverted ? 1 - value : value, at: time)
        guard let other = inverse?.push(1 - value, at: time) else {
            if swing != nil { inverse = nil }
            return swing
        }
        // The set began at the far end: there the first repetition was complete first.
        if let inverse { tracker = inverse }
        inverse = nil
        isInverted = true
        return other
    }

    private mutating func interrupt() {
        tracker.interrupt()
        inverse?.interrupt()
    }

    private mutating func lose(at time: TimeInterval) {
        lostSince = lostSince ?? time
        if exercise.motion == nil, let held = holding.lose(at: time) { holds.append(held) }
        phase = Self.lost
    }

    private mutating func startAnew() {
        interrupt()
        smooth = nil
        reader.reset()
        trail.removeAll()
    }

    private mutating func review(_ swing: Swing) -> CoachedRepetition? {
        guard let motion = exercise.motion, motion.duration.contains(swing.duration) else { return nil }
        let review = RepetitionReview(exercise: exercise, motion: motion, swing: swing, isInverted: isInverted, trail: trail)
        let fit = review.fit
        guard fit >= Self.leastFit else { return nil }
        let repetition = review.repetition()
        take(repetition, fit: fit)
        return repetition
    }

    /// Adds a repetition, and takes back those it shows to have been something else, such as steps before the set.
    private mutating func take(_ repetition: CoachedRepetition, fit: Double) {
        repetitions.append(repetition)
        fits.append(fit)
        let depths = repetitions.map(\.depth).sorted()
        let least = Self.leastShare * depths[depths.count / 2]
        let kept = repetitions.indices.filter { repetitions[$0].depth >= least }
        repetitions = kept.map { repetitions[$0] }
        fits = kept.map { fits[$0] }
    }

    private func name(of state: SwingTracker.State, at time: TimeInterval, _ names: PhaseNames) -> String {
        switch state {
        case .rest: isInverted ? names.far : names.rest
        case .away where tracker.rests(at: time): isInverted ? names.rest : names.far
        case .away: isInverted ? names.back : names.away
        case .back: isInverted ? names.away : names.back
        }
    }
}
