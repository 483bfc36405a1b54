/// A temporal sequence of any kind, known only by what its elements hold.
public struct AnyTemporalSequence<Feature>: TemporalSequence {
    /// A value in time.
    public typealias Element = TemporalFeature<Feature>
    /// Reads the sequence.
    public typealias AsyncIterator = AnyTemporalIterator<Feature>

    /// How many elements there will be, if that is known.
    public let count: Int?
    private let makeIterator: () -> AnyTemporalIterator<Feature>

    /// Hides the kind of a temporal sequence.
    public init<S>(_ sequence: S) where S: TemporalSequence, S.Feature == Feature {
        count = sequence.count
        makeIterator = { AnyTemporalIterator(sequence.makeAsyncIterator()) }
    }

    /// Makes a temporal sequence of any asynchronous sequence of values in time, such as an `AsyncChannel`.
    ///
    /// `count` is the number of elements there will be, nil if that is not known.
    public init<S>(_ sequence: S, count: Int?) where S: AsyncSequence, S.Element == TemporalFeature<Feature> {
        self.count = count
        makeIterator = { AnyTemporalIterator(sequence.makeAsyncIterator()) }
    }

    /// Starts to read the sequence.
    public func makeAsyncIterator() -> AnyTemporalIterator<Feature> {
        makeIterator()
    }
}

/// Reads a temporal sequence of any kind.
public struct AnyTemporalIterator<Feature>: AsyncIteratorProtocol {
    private let box: IteratorBox<Feature>

    init<Base>(_ base: Base) where Base: AsyncIteratorProtocol, Base.Element == TemporalFeature<Feature> {
        box = ConcreteIteratorBox(base)
    }

    /// The next value, or nil at the end; throws what the underlying sequence throws.
    public mutating func next() async throws -> TemporalFeature<Feature>? {
        try await box.next()
    }
}

/// The part of an iterator that does not depend on its type.
private class IteratorBox<Feature> {
    func next() async throws -> TemporalFeature<Feature>? { nil }
}

/// Holds an iterator of a known type.
private final class ConcreteIteratorBox<Base, Feature>: IteratorBox<Feature>
where Base: AsyncIteratorProtocol, Base.Element == TemporalFeature<Feature> {
    private var base: Base

    init(_ base: Base) {
        self.base = base
    }

    override func next() async throws -> TemporalFeature<Feature>? {
        try await base.next()
    }
}
