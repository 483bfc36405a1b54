package import Foundation

/// Keeps every Nth element of a temporal sequence: the first of each group.
public struct Downsampler<Input: Sendable>: TemporalTransformer, Sendable, Codable {
    /// Elements pass unchanged.
    public typealias Output = Input
    /// The downsampled sequence.
    public typealias OutputSequence = DownStreamSequence

    /// Every `factor`th element is kept.
    public let factor: Int

    /// Keeps every `factor`th element; `factor` is at least 1.
    public init(factor: Int) {
        precondition(factor > 0, "a downsampling factor is at least 1")
        self.factor = factor
    }

    /// Downsamples a sequence as the output is read.
    public func applied<S>(to input: S, eventHandler: EventHandler?) throws -> DownStreamSequence
    where S: TemporalSequence, Input == S.Feature {
        let step = Downsampling<Input>(factor: factor)
        return DownStreamSequence(
            base: AnyTemporalSequence(
                StepSequence(input, step: step, origin: Self.self, eventHandler: eventHandler)))
    }

    /// The downsampled sequence.
    public struct DownStreamSequence: TemporalSequence {
        /// What each element holds.
        public typealias Feature = Input
        /// A value with its time range.
        public typealias Element = TemporalFeature<Input>

        let base: AnyTemporalSequence<Input>

        /// The number of elements, if known.
        public var count: Int? { base.count }

        /// Starts reading the sequence.
        public func makeAsyncIterator() -> Iterator {
            Iterator(base: base.makeAsyncIterator())
        }

        /// Reads the downsampled sequence.
        public struct Iterator: AsyncIteratorProtocol {
            var base: AnyTemporalIterator<Input>

            /// The next kept element, or nil at the end; throws what the input throws.
            public mutating func next() async throws -> TemporalFeature<Input>? {
                try await base.next()
            }
        }
    }
}

/// Keeps the first of every `factor` elements.
package struct Downsampling<Input>: TemporalStep {
    private let factor: Int
    private var position = 0

    /// Keeps the first of every `factor` elements; `factor` is at least 1.
    package init(factor: Int) {
        precondition(factor > 0, "a downsampling factor is at least 1")
        self.factor = factor
    }

    package mutating func push(_ element: TemporalFeature<Input>) -> TemporalFeature<Input>? {
        defer { position = (position + 1) % factor }
        return position == 0 ? element : nil
    }

    package func outputCount(inputCount: Int) -> Int {
        (inputCount + factor - 1) / factor
    }
}

/// Evenly spaced times over an interval, never more than a limit.
///
/// Everything that turns times into rows, frames or cells uses this. Times come from files and cameras, and two of them
/// far apart, or a rate from two that nearly coincide, could ask for any length.
package struct TimeGrid: Sendable, Hashable {
    /// The first time, seconds.
    package let start: TimeInterval
    /// Times a second.
    package let rate: Double
    /// The number of times, at least 1.
    package let count: Int

    /// The largest distance of a time from 0, seconds: 317 years, so that Unix times fit. Beyond it a 64-bit number no
    /// longer resolves microseconds.
    package static let maximumTime: TimeInterval = 1e10

    /// Whether a time is a number within `maximumTime`.
    package static func isValid(_ time: TimeInterval) -> Bool { abs(time) <= maximumTime }

    /// The times from `start` that are not after `end`.
    ///
    /// Nil when a time or the rate is invalid, or when there are more than `limit` times.
    package init?(from start: TimeInterval, to end: TimeInterval, rate: Double, limit: Int) {
        guard Self.isValid(start), Self.isValid(end), end >= start, rate > 0, rate.isFinite else { return nil }
        // A thousandth of a step, so that rounding loses no time on the grid.
        let steps = (end - start) * rate + 0.001
        guard steps < Double(limit) else { return nil }
        (self.start, self.rate, count) = (start, rate, Int(steps) + 1)
    }

    /// The time at an index, seconds.
    package func time(_ index: Int) -> TimeInterval { start + Double(index) / rate }

    /// All times, seconds.
    package var times: [TimeInterval] { (0..<count).map(time) }
}

extension Int {
    /// The integer nearest to a floating point number, clamped to the range of `Int`; 0 for NaN.
    ///
    /// `Int(_:)` traps on such numbers, so it is only for bounded ones.
    package init(clamping value: Double) {
        let whole = value.rounded()
        self = whole.isNaN ? 0 : Int(exactly: whole) ?? (whole < 0 ? .min : .max)
    }
}
