import KinemaMotion
import KinemaCounting
import Foundation
public import KinemaCore

/// Counts repetitions of a person's movement from windows of poses.
///
/// Windows may have any length and overlap: each frame counts once and the total never falls. Frames left over after a
/// `SlidingWindowTransformer`'s last full window count too, as a last short window. The total rises with every window of
/// a set and stands still at rest, from 2.7 s after the last repetition; rounded, it is the number of repetitions. If the
/// end of the input reveals more, the last window's total is sent again. Unlike Apple's counter, it needs no
/// downsampling for slow movements.
public struct HumanBodyActionCounter: TemporalTransformer, Sendable, Codable {
    /// A window of one person's poses.
    public typealias Input = [Pose]
    /// The running total of repetitions.
    public typealias Output = Float
    /// The running totals, one for each window.
    public typealias OutputSequence = CumulativeSumSequence

    /// Width divided by height of the pictures; nil for that of the poses (`Pose.imageSize`), 4 : 3 if they know none.
    package var aspectRatio: Double?

    /// Counts in pictures of the given width divided by height; nil for that of the poses.
    public init(aspectRatio: Double? = nil) { self.aspectRatio = aspectRatio }

    /// Counts while the output is read.
    public func applied<S>(to input: S, eventHandler: EventHandler? = nil) async throws -> CumulativeSumSequence
    where S: TemporalSequence, S.Feature == [Pose] {
        let windows = (input as? SlidingWindowTransformer<Pose>.WindowSequence)?.withRest
        let step = WindowedCounting(aspectRatio: aspectRatio)
        return CumulativeSumSequence(
            base: AnyTemporalSequence(
                StepSequence(
                    windows ?? AnyTemporalSequence(input), step: step, origin: Self.self, eventHandler: eventHandler)))
    }

    /// The running total of repetitions, one for each window.
    public struct CumulativeSumSequence: TemporalSequence {
        /// The running total of repetitions.
        public typealias Feature = Float
        /// A total and the window after which it was known.
        public typealias Element = TemporalFeature<Float>

        let base: AnyTemporalSequence<Float>

        /// How many totals there will be, if that is known.
        public var count: Int? { base.count }

        /// Starts to read the totals.
        public func makeAsyncIterator() -> AnyTemporalIterator<Float> { base.makeAsyncIterator() }
    }
}

/// Counts over windows that may overlap: each frame once, the total never falling.
///
/// A repetition is spread over the time that it takes, and a set that goes on adds at least `leastDensity` with each
/// window, so that code which takes a window without an increment for a rest does so only at rest. When the source changes
/// or time jumps back, as when a camera is replaced, counting continues from the total.
struct WindowedCounting: TemporalStep {
    /// What a window of a set under way adds at least: twice what Apple's sample takes for nothing.
    private static let leastDensity: Float = 0.002
    /// The share of a repetition under way: rounding gives the number of those that have ended.
    private static let uncertainShare: Float = 0.4
    /// A repetition counts if at most this share of it lies in others.
    private static let mostShared = 0.2
    /// Poses a second that are counted of a faster stream, as `kinema count` reads a recording.
    private static let rate = 15.0

    /// Width divided by height of pictures whose shape is not known.
    private static let usualShape = 4.0 / 3

    private let given: Double?
    /// Width divided by height of the source's pictures; nil until a pose knows it.
    private var aspectRatio: Double?
    private var counter = RepetitionCounter(expecting: .exercise)
    private var smoother = PoseSmoother(aspectRatio: Self.usualShape)
    private var pace = SetPace()
    private var total: Float = 0
    /// Repetitions of the sources before this one.
    private var before = 0
    private var last: TemporalSegmentIdentifier?
    private var counted: TimeInterval?
    /// When the next pose of a fast stream is due.
    private var due = -TimeInterval.infinity

    init(aspectRatio: Double?) { given = aspectRatio }

    mutating func push(_ window: TemporalFeature<[Pose]>) -> TemporalFeature<Float>? {
        let span = window.id.rangeInSeconds
        if let last, last.source != window.id.source || span.upperBound < counted ?? span.upperBound {
            restart()
            counted = nil
        }
        last = window.id
        if aspectRatio == nil, let shape = given ?? window.feature.aspectRatio { restart(aspectRatio: shape) }
        let poses = window.feature
        let step = window.id.durationInSeconds / Double(max(poses.count, 1))
        // Frames up to the last window's end were counted already.
        var known = 0
        if let counted, step > 0 {
            let new = Int(clamping: (span.upperBound - counted) / step)
            known = max(0, poses.count - min(max(new, 0), poses.count))
        }
        let period = step > 0 ? max(1, (1 / (step * Self.rate)).rounded()) * step : 0
        for index in min(known, poses.count)..<poses.count {
            let time = span.lowerBound + Double(index) * step
            guard time > due - step / 2 else { continue }
            due = time + period
            let pose = smoothed(poses[index], at: time)
            _ = counter.append(pose, at: time)
            pace.append(pose, aspectRatio: smoother.aspectRatio, at: time)
        }
        let now = max(counted ?? span.upperBound, span.upperBound)
        counted = now
        let isUnderWay = pace.isUnderWay(counter.repetitions, at: now)
        total = max(total + (isUnderWay ? Self.leastDensity : 0), Float(before) + done(at: now, isUnderWay: isUnderWay))
        return TemporalFeature(id: window.id, feature: total)
    }

    /// The pose without jitter, as `kinema count` reads it, and without the joints that were blanked.
    private mutating func smoothed(_ pose: Pose, at time: TimeInterval) -> Pose {
        var pose = pose
        pose.keypoints = pose.keypoints.filter { $0.value.confidence > 0 }
        pose.keypoints3D = [:]
        return smoother.smooth([pose], at: time)[0]
    }

    /// The repetitions of this source: those that have ended, and less than a half of one under way.
    private func done(at time: TimeInterval, isUnderWay: Bool) -> Float {
        var counted: [Repetition] = []
        for one in counter.repetitions {
            // Later readings of a set in other steps find some of its repetitions twice.
            let shared = counted.suffix(4).reduce(0) { $0 + max(0, min(one.end, $1.end) - max(one.start, $1.start)) }
            if shared <= Self.mostShared * one.duration { counted.append(one) }
        }
        let ended = counted.filter { $0.end <= time }
        let share: Float? = counted.last.flatMap { one in
            one.end > time && one.duration > 0 ? Float(max(0, time - one.start) / one.duration) : nil
        }
        // Movement outside a set may resemble the beginning of a repetition.
        return Float(ended.count) + Self.uncertainShare * (share ?? (isUnderWay ? counter.progress : 0))
    }

    mutating func finish() -> TemporalFeature<Float>? {
        _ = counter.finish()
        let end = Float(before + counter.count)
        guard let last, end > total.rounded() else { return nil }
        return TemporalFeature(id: last, feature: end)
    }

    private mutating func restart(aspectRatio: Double? = nil) {
        _ = counter.finish()
        before += counter.count
        self.aspectRatio = aspectRatio
        let shape = aspectRatio ?? Self.usualShape
        counter = RepetitionCounter(aspectRatio: shape, expecting: .exercise)
        (smoother, pace, due) = (PoseSmoother(aspectRatio: shape), SetPace(), -.infinity)
    }

    func outputCount(inputCount: Int) -> Int { inputCount }
}

/// Whether a set goes on, by its last repetitions and by what the body has done since.
///
/// Of 212 labelled recordings 8 end a set too early with these values, some of them at a cross-fade.
struct SetPace: Sendable {
    /// The time without movement after which a body rests, seconds, and the movement: shares of its longer side.
    private static let stillness: (time: TimeInterval, reach: CGFloat) = (2, 0.05)
    /// A body that rests ends a set this long after its last repetition, seconds, so that a rest of 3 s does; one that
    /// moves, when the next repetition could have followed that rest, or this many could have taken place, within a limit.
    private static let rest: TimeInterval = 2.7, longestRest: TimeInterval = 3, missed = 2.5, limit: TimeInterval = 8

    private var recent: [(time: TimeInterval, points: [CGPoint?], side: CGFloat)] = []

    /// Adds the next pose, in pictures of a width divided by height.
    mutating func append(_ pose: Pose, aspectRatio: Double, at time: TimeInterval) {
        let points = BodySkeleton.limbs.map { key -> CGPoint? in
            let joint = pose[key]
            guard joint.confidence > 0.3 else { return nil }
            return CGPoint(x: joint.location.x * aspectRatio, y: joint.location.y)
        }
        let (columns, rows) = (points.compactMap { $0?.x }, points.compactMap { $0?.y })
        let side = max(
            (columns.max() ?? 0) - (columns.min() ?? 0), (rows.max() ?? 0) - (rows.min() ?? 0))
        recent.append((time, points, side))
        recent.removeAll { $0.time < time - Self.stillness.time }
    }

    /// Whether a set with these repetitions goes on.
    func isUnderWay(_ repetitions: [Repetition], at time: TimeInterval) -> Bool {
        guard let end = repetitions.map(\.end).max() else { return false }
        guard time - end >= Self.rest else { return true }
        let lengths = repetitions.suffix(8).map(\.duration).sorted()
        let usual = lengths[lengths.count / 2]
        return time - end < min(Self.limit, max(Self.missed * usual, Self.longestRest + usual)) && isMoving
    }

    /// Whether a limb has moved lately; the furthest positions are left out as jitter where there are many.
    private var isMoving: Bool {
        let reach = Self.stillness.reach * (recent.map(\.side).max() ?? 0)
        return BodySkeleton.limbs.indices.contains { joint in
            let points = recent.compactMap { $0.points[joint] }
            let skipped = points.count / 12
            guard points.count > 2 * skipped + 1 else { return false }
            return [points.map(\.x).sorted(), points.map(\.y).sorted()].contains { values in
                values[values.count - 1 - skipped] - values[skipped] > reach
            }
        }
    }
}

/// Predicts for each frame of a window of poses how long a repetition takes, if the movement is periodic.
public struct HumanBodyActionPeriodPredictor: Transformer, Sendable, Codable {
    /// The prediction for one frame.
    public struct Prediction: Hashable, Sendable, Codable {
        /// How long a repetition takes, frames; 0 where nothing repeats.
        public var period: Float
        /// The confidence that the frame belongs to a periodic movement, 0...1.
        public var periodicity: Float

        /// Makes a prediction from a period in frames and a score (0...1).
        public init(period: Float, periodicity: Float) {
            self.period = period
            self.periodicity = periodicity
        }
    }

    /// Width divided by height of the pictures; nil for that of the poses (`Pose.imageSize`), 4 : 3 if they know none.
    package var aspectRatio: Double?

    /// Predicts in pictures of the given width divided by height; nil for that of the poses.
    public init(aspectRatio: Double? = nil) { self.aspectRatio = aspectRatio }

    /// One prediction for each pose of a window.
    public func applied(to input: [Pose], eventHandler: EventHandler? = nil) async throws -> [Prediction] {
        let shape = Float(aspectRatio ?? input.aspectRatio ?? 4.0 / 3)
        return SelfSimilarity(PostureDistances(input, aspectRatio: shape)).predictions
    }
}

extension [Pose] {
    /// Width divided by height of the picture that the first pose knows; nil if none does.
    var aspectRatio: Double? {
        lazy.compactMap(\.imageSize).first { $0.width > 0 && $0.height > 0 }.map { $0.width / $0.height }
    }
}

/// How similar the postures of a window are at every lag, and the period that this shows.
struct SelfSimilarity {
    /// Smaller differences are landmark jitter: the joints' root mean square distance, body sizes.
    private static let least: Float = 0.05

    private let count: Int
    /// Squared distance between two postures, nil where one is missing; row by row.
    private let squares: [Float?]

    init(_ distances: PostureDistances) { (count, squares) = (distances.count, distances.squares) }

    /// The period and its strength, frame by frame.
    var predictions: [HumanBodyActionPeriodPredictor.Prediction] {
        let nothing = HumanBodyActionPeriodPredictor.Prediction(period: 0, periodicity: 0)
        // The window must hold two of the shortest periods.
        guard count >= 8 else { return Array(repeating: nothing, count: count) }
        let all = spread(around: count / 2, reach: count)
        guard let whole = bestLag(all, among: 4...max(4, count * 2 / 3)) else {
            return Array(repeating: nothing, count: count)
        }
        // The local tempo may differ from that of the whole window by a third.
        let near = max(4, whole.lag * 2 / 3)...min(max(4, count * 2 / 3), max(5, whole.lag * 4 / 3))
        return (0..<count).map { frame in
            guard let local = bestLag(spread(around: frame, reach: whole.lag * 3 / 2), among: near) else {
                return nothing
            }
            return .init(period: local.period, periodicity: local.strength)
        }
    }

    /// The mean squared distance at each lag between frames within `reach` of a frame; nil where too few are known.
    private func spread(around frame: Int, reach: Int) -> [Float?] {
        // Near the window's ends the stretch shifts inwards instead of shrinking.
        let begin = max(0, min(frame - reach, count - 1 - 2 * reach))
        let frames = begin...min(count - 1, begin + 2 * reach)
        return (0..<count).map { lag in
            var sum: Float = 0
            var number = 0
            for early in frames where early + lag <= frames.upperBound {
                guard let square = squares[early * count + early + lag] else { continue }
                sum += square
                number += 1
            }
            return number * 4 >= frames.count ? sum / Float(number) : nil
        }
    }

    /// The shortest lag at which the movement repeats, also with subframe precision.
    private func bestLag(_ spread: [Float?], among lags: ClosedRange<Int>) -> (
        lag: Int, period: Float, strength: Float
    )? {
        let known = spread.compactMap { $0 }
        guard let top = known.max(), top > Self.least * Self.least else { return nil }
        var dips: [(lag: Int, depth: Float)] = []
        for lag in lags where lag > 0 && lag < count {
            guard let here = spread[lag] else { continue }
            let before = spread[lag - 1] ?? .infinity
            let after = lag + 1 < count ? spread[lag + 1] ?? .infinity : .infinity
            if here <= before, here < after { dips.append((lag, 1 - here / top)) }
        }
        guard let deepest = dips.map(\.depth).max(), deepest > 0.3,
            let dip = dips.first(where: { $0.depth > 0.85 * deepest })
        else { return nil }
        return (dip.lag, Float(dip.lag) + offset(spread, at: dip.lag), max(0, min(1, dip.depth)))
    }

    /// The vertex of the parabola through a dip and its neighbours.
    private func offset(_ spread: [Float?], at lag: Int) -> Float {
        guard lag + 1 < count, let before = spread[lag - 1], let here = spread[lag], let after = spread[lag + 1],
            before + after - 2 * here > 0
        else { return 0 }
        return max(-0.5, min(0.5, (before - after) / (2 * (before + after - 2 * here))))
    }
}
