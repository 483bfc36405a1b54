/// A temporal sequence read to its end and kept in memory, so that it can be read many times.
public struct PreprocessedFeatureSequence<Feature>: TemporalSequence {
    /// A value with its time range.
    public typealias Element = TemporalFeature<Feature>

    /// The elements in time order.
    public let features: [TemporalFeature<Feature>]

    /// Reads a temporal sequence to its end; throws the sequence's error.
    public init<S>(_ sequence: S) async throws where S: TemporalSequence, S.Feature == Feature {
        var features: [TemporalFeature<Feature>] = []
        features.reserveCapacity(sequence.count ?? 0)
        for try await element in sequence {
            features.append(element)
        }
        self.features = features
    }

    /// The number of elements.
    public var count: Int? { features.count }

    /// Starts reading from the first element.
    public func makeAsyncIterator() -> Iterator { Iterator(base: features.makeIterator()) }

    /// Reads the stored elements.
    public struct Iterator: AsyncIteratorProtocol {
        var base: IndexingIterator<[TemporalFeature<Feature>]>

        /// The next element, or nil at the end.
        public mutating func next() async -> TemporalFeature<Feature>? { base.next() }
    }
}

extension PreprocessedFeatureSequence: Sendable where Feature: Sendable {}
