/// Gathers elements into full windows; a short last window is dropped.
///
/// When the source changes or time goes back, as when a camera is exchanged, the windows begin anew: no window holds
/// elements of two recordings.
package struct SlidingWindow<Item>: TemporalStep {
    package typealias Input = Item
    package typealias Output = [Item]

    private let stride: Int
    private let length: Int
    private var elements: [TemporalFeature<Item>] = []
    /// How many elements to pass over before the next window begins; only when the stride exceeds the length.
    private var gap = 0
    private var last: TemporalSegmentIdentifier?

    /// Gathers `length` elements every `stride` elements; both are at least 1.
    package init(stride: Int, length: Int) {
        precondition(stride > 0 && length > 0, "a window has a length and a stride of at least 1")
        self.stride = stride
        self.length = length
        elements.reserveCapacity(length)
    }

    package mutating func push(_ element: TemporalFeature<Item>) -> TemporalFeature<[Item]>? {
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

    package func outputCount(inputCount: Int) -> Int {
        inputCount < length ? 0 : (inputCount - length) / stride + 1
    }

    /// From the first element's beginning to the last one's end, in the first one's time scale.
    private func id(from first: TemporalSegmentIdentifier, to last: TemporalSegmentIdentifier)
        -> TemporalSegmentIdentifier
    {
        var end = last.range.upperBound
        if last.timescale != first.timescale {
            end = Int((last.rangeInSeconds.upperBound * Double(first.timescale)).rounded())
        }
        let start = first.range.lowerBound
        return TemporalSegmentIdentifier(
            source: first.source, range: start..<max(start, end), timescale: first.timescale)
    }
}
