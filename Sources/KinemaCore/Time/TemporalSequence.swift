/// An asynchronous sequence of timed values, in strictly increasing order of `id.range`'s start.
public protocol TemporalSequence<Feature>: AsyncSequence where Element == TemporalFeature<Feature> {
    /// The value of each element.
    associatedtype Feature

    /// The number of elements, if known before reading.
    var count: Int? { get }
}

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

/// Reads a type-erased temporal sequence.
public struct AnyTemporalIterator<Feature>: AsyncIteratorProtocol {
    private let nextElement: () async throws -> TemporalFeature<Feature>?

    init(_ nextElement: @escaping () async throws -> TemporalFeature<Feature>?) { self.nextElement = nextElement }

    /// The next value, or nil at the end; throws the underlying sequence's error.
    public mutating func next() async throws -> TemporalFeature<Feature>? { try await nextElement() }
}
