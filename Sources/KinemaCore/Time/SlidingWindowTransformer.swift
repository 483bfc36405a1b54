package import Foundation

/// Groups the elements of a temporal sequence into full windows of equal length, which may overlap.
///
/// A window's time range goes from the start of its first element to the end of its last.
public struct SlidingWindowTransformer<Input: Sendable>: TemporalTransformer, Sendable, Codable {
    /// The elements of a window in time order.
    public typealias Output = [Input]

    /// Elements between the starts of two windows, and in a window.
    public let stride, length: Int

    /// Creates windows of `length` elements every `stride` elements; both are at least 1.
    public init(stride: Int, length: Int) {
        precondition(stride > 0 && length > 0, "a window's length and stride must be at least 1")
        (self.stride, self.length) = (stride, length)
    }

    /// Makes windows as the output is read.
    public func applied<S>(to input: S, eventHandler: EventHandler? = nil) throws -> WindowSequence
    where S: TemporalSequence, Input == S.Feature {
        let step = SlidingWindow<Input>(stride: stride, length: length)
        var rest = step
        rest.keepsRest = true
        return WindowSequence(
            full: AnyTemporalSequence(StepSequence(input, step: step, origin: Self.self, eventHandler: eventHandler)),
            withRest: AnyTemporalSequence(
                StepSequence(input, step: rest, origin: Self.self, eventHandler: eventHandler)))
    }

    /// The sequence of full windows.
    public struct WindowSequence: TemporalSequence {
        /// A window.
        public typealias Feature = [Input]
        /// A window with its time range.
        public typealias Element = TemporalFeature<[Input]>

        fileprivate let full: AnyTemporalSequence<[Input]>
        /// The same windows and a last short one of the elements that are in none.
        package let withRest: AnyTemporalSequence<[Input]>

        /// The number of windows, if known.
        public var count: Int? { full.count }

        /// Starts reading the windows.
        public func makeAsyncIterator() -> AnyTemporalIterator<[Input]> { full.makeAsyncIterator() }
    }
}

/// Groups elements into full windows, anew when the source changes or time goes back.
struct SlidingWindow<Item>: TemporalStep {
    private let stride: Int
    private let length: Int
    private var elements: [TemporalFeature<Item>] = []
    /// Elements to skip before the next window; only if the stride exceeds the length.
    private var gap = 0
    private var last: TemporalSegmentIdentifier?
    /// Whether elements that are in no window at the end form a last short one.
    var keepsRest = false
    /// How many of the elements are in a window already.
    private var known = 0

    init(stride: Int, length: Int) { (self.stride, self.length) = (stride, length) }

    mutating func push(_ element: TemporalFeature<Item>) -> TemporalFeature<[Item]>? {
        if let last, last.source != element.id.source || last.begins(after: element.id) {
            elements.removeAll(keepingCapacity: true)
            (gap, known) = (0, 0)
        }
        last = element.id
        guard gap == 0 else {
            gap -= 1
            return nil
        }
        elements.append(element)
        guard elements.count == length else { return nil }
        defer {
            elements.removeFirst(min(stride, length))
            gap = max(0, stride - length)
            known = elements.count
        }
        return window
    }

    mutating func finish() -> TemporalFeature<[Item]>? { keepsRest && elements.count > known ? window : nil }

    private var window: TemporalFeature<[Item]>? {
        guard let first = elements.first, let last = elements.last else { return nil }
        return TemporalFeature(id: id(from: first.id, to: last.id), feature: elements.map(\.feature))
    }

    func outputCount(inputCount: Int) -> Int { inputCount < length ? 0 : (inputCount - length) / stride + 1 }

    /// From the start of the first element to the end of the last, in the first one's timescale.
    private func id(from first: TemporalSegmentIdentifier, to last: TemporalSegmentIdentifier)
        -> TemporalSegmentIdentifier
    {
        var end = last.range.upperBound
        if last.timescale != first.timescale {
            end = Int(clamping: last.rangeInSeconds.upperBound * Double(first.timescale))
        }
        let start = first.range.lowerBound
        return TemporalSegmentIdentifier(
            source: first.source, range: start..<max(start, end), timescale: first.timescale)
    }
}

/// The full windows of equal length along the first dimension of an array.
public struct SlidingWindows<Scalar>: BidirectionalCollection {
    private let input: ShapedArray<Scalar>
    /// Rows in a window, and between the starts of two windows.
    public let length, stride: Int
    /// The number of windows.
    public let endIndex: Int

    /// Creates windows of `length` rows every `stride` rows; throws `invalidArgument` for none.
    public init(input: ShapedArray<Scalar>, length: Int, stride: Int = 1) throws {
        guard length > 0, stride > 0 else {
            throw KinemaError.invalid("a window's length and stride must be at least 1")
        }
        guard let rows = input.shape.first else {
            throw KinemaError.invalid("an array without dimensions has no windows; give it a shape")
        }
        (self.input, self.length, self.stride) = (input, length, stride)
        endIndex = rows < length ? 0 : (rows - length) / stride + 1
    }

    /// The first window.
    public var startIndex: Int { 0 }

    /// The next window's index.
    public func index(after index: Int) -> Int { index + 1 }

    /// The previous window's index.
    public func index(before index: Int) -> Int { index - 1 }

    /// A window of shape `[length, …]`.
    public subscript(index: Int) -> ShapedArray<Scalar> {
        precondition(indices.contains(index), "the index of a window")
        return input[index * stride..<index * stride + length]
    }
}

extension SlidingWindows: Sendable where Scalar: Sendable {}

/// Keeps every Nth element of a temporal sequence: the first of each group.
public struct Downsampler<Input: Sendable>: TemporalTransformer, Sendable, Codable {
    /// Elements pass unchanged.
    public typealias Output = Input
    /// The downsampled sequence.
    public typealias DownStreamSequence = AnyTemporalSequence<Input>

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
        AnyTemporalSequence(
            StepSequence(
                input, step: Downsampling(factor: factor), origin: Self.self, eventHandler: eventHandler))
    }
}

struct Downsampling<Input>: TemporalStep {
    private let factor: Int
    private var position = 0

    init(factor: Int) { self.factor = factor }

    mutating func push(_ element: TemporalFeature<Input>) -> TemporalFeature<Input>? {
        defer { position = (position + 1) % factor }
        return position == 0 ? element : nil
    }

    func outputCount(inputCount: Int) -> Int { (inputCount + factor - 1) / factor }
}

/// Evenly spaced times over an interval in seconds, at most a limit, since outside times could ask for any length.
package struct TimeGrid: Sendable, Hashable {
    package let start: TimeInterval
    /// Times a second.
    package let rate: Double
    /// The number of times, at least 1.
    package let count: Int

    /// The largest distance of a time from 0, seconds: 317 years, within which 64-bit numbers resolve microseconds.
    package static let maximumTime: TimeInterval = 1e10

    package static func isValid(_ time: TimeInterval) -> Bool { abs(time) <= maximumTime }

    /// The times from `start` that are not after `end`; nil for invalid numbers or more than `limit` times.
    package init?(from start: TimeInterval, to end: TimeInterval, rate: Double, limit: Int) {
        guard Self.isValid(start), Self.isValid(end), end >= start, rate > 0, rate.isFinite else { return nil }
        // A thousandth of a step, so that rounding loses no time on the grid.
        let steps = (end - start) * rate + 0.001
        guard steps < Double(limit) else { return nil }
        (self.start, self.rate, count) = (start, rate, Int(steps) + 1)
    }

    /// The time at an index, seconds.
    package func time(_ index: Int) -> TimeInterval { start + Double(index) / rate }

    package var times: [TimeInterval] { (0..<count).map(time) }
}

extension Int {
    /// The nearest integer, clamped to the range of `Int`; 0 for NaN. `Int(_:)` traps on such numbers.
    package init(clamping value: Double) {
        let whole = value.rounded()
        self = whole.isNaN ? 0 : Int(exactly: whole) ?? (whole < 0 ? .min : .max)
    }
}
