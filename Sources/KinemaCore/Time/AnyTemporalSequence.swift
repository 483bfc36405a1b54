/// A type-erased temporal sequence.
public struct AnyTemporalSequence<Feature>: TemporalSequence {
    /// A value with its time range.
    public typealias Element = TemporalFeature<Feature>
    /// Reads the sequence.
    public typealias Iterator = AnyTemporalIterator<Feature>

    /// The number of elements, if known.
    public let count: Int?
    private let makeIterator: () -> Iterator

    /// Erases the type of a temporal sequence.
    public init<S>(_ sequence: S) where S: TemporalSequence, S.Feature == Feature {
        self.init(sequence, count: sequence.count)
    }

    /// Creates a temporal sequence from any asynchronous sequence of timed values; `count` is nil if unknown.
    public init<S>(_ sequence: S, count: Int?) where S: AsyncSequence, S.Element == TemporalFeature<Feature> {
        self.init(count: count) {
            var base = sequence.makeAsyncIterator()
            return Iterator { try await base.next() }
        }
    }

    init(count: Int?, _ makeIterator: @escaping () -> Iterator) {
        (self.count, self.makeIterator) = (count, makeIterator)
    }

    /// Starts reading the sequence.
    public func makeAsyncIterator() -> Iterator { makeIterator() }
}
