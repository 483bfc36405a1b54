import Foundation
public import KinemaCore
import KinemaMotion

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
