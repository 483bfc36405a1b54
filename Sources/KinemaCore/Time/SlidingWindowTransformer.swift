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
