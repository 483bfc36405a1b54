import KinemaCounting
import Foundation
public import KinemaCore

/// Counts repetitions of a person's movement from windows of poses.
///
/// Windows may have any length and overlap: each frame counts once and the total never falls. Frames left over after a
/// `SlidingWindowTransformer`'s last full window count too, as a last short window. While a repetition is under way the
/// total rises by less than a half, so rounding gives the number of finished repetitions. If the end of the input
/// reveals more, the last window's total is sent again. Unlike Apple's counter, it needs no downsampling for slow
/// movements.
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
/// When the source changes or time jumps back, as when a camera is replaced, counting continues from the total.
struct WindowedCounting: TemporalStep {
    private let given: Double?
    /// Width divided by height of the source's pictures; nil until a pose knows it.
    private var aspectRatio: Double?
    private var counter = RepetitionCounter()
    private var total: Float = 0
    /// Repetitions of the sources before this one.
    private var before = 0
    private var last: TemporalSegmentIdentifier?
    private var counted: TimeInterval?

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
        for index in min(known, poses.count)..<poses.count {
            _ = counter.append(poses[index], at: span.lowerBound + Double(index) * step)
        }
        counted = max(counted ?? span.upperBound, span.upperBound)
        // The repetition under way adds less than a half, so rounding gives the number of finished ones.
        total = max(total, Float(before + counter.count) + 0.49 * counter.progress)
        return TemporalFeature(id: window.id, feature: total)
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
        counter = RepetitionCounter(aspectRatio: aspectRatio ?? 4.0 / 3)
    }

    func outputCount(inputCount: Int) -> Int { inputCount }
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
