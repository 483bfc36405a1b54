/// Groups the elements of a temporal sequence into full windows of equal length, which may overlap.
///
/// A window's time range goes from the start of its first element to the end of its last.
public struct SlidingWindowTransformer<Input: Sendable>: TemporalTransformer, Sendable, Codable {
    /// The elements of a window in time order.
    public typealias Output = [Input]
    /// The sequence of windows.
    public typealias WindowSequence = AnyTemporalSequence<[Input]>

    /// Elements between the starts of two windows.
    public let stride: Int
    /// Elements in a window.
    public let length: Int

    /// Creates windows of `length` elements every `stride` elements; both are at least 1.
    public init(stride: Int, length: Int) {
        precondition(stride > 0 && length > 0, "a window's length and stride must be at least 1")
        (self.stride, self.length) = (stride, length)
    }

    /// Makes windows as the output is read.
    public func applied<S>(to input: S, eventHandler: EventHandler? = nil) throws -> WindowSequence
    where S: TemporalSequence, Input == S.Feature {
        let step = SlidingWindow<Input>(stride: stride, length: length)
        return AnyTemporalSequence(StepSequence(input, step: step, origin: Self.self, eventHandler: eventHandler))
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

    init(stride: Int, length: Int) { (self.stride, self.length) = (stride, length) }

    mutating func push(_ element: TemporalFeature<Item>) -> TemporalFeature<[Item]>? {
        if let last, last.source != element.id.source || last.begins(after: element.id) {
            elements.removeAll(keepingCapacity: true)
            gap = 0
        }
        last = element.id
        guard gap == 0 else {
            gap -= 1
            return nil
        }
        elements.append(element)
        guard elements.count == length else { return nil }
        let window = TemporalFeature(id: id(from: elements[0].id, to: element.id), feature: elements.map(\.feature))
        elements.removeFirst(min(stride, length))
        gap = max(0, stride - length)
        return window
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
