/// Reads a type-erased temporal sequence.
public struct AnyTemporalIterator<Feature>: AsyncIteratorProtocol {
    private let nextElement: () async throws -> TemporalFeature<Feature>?

    init(_ nextElement: @escaping () async throws -> TemporalFeature<Feature>?) { self.nextElement = nextElement }

    /// The next value, or nil at the end; throws the underlying sequence's error.
    public mutating func next() async throws -> TemporalFeature<Feature>? { try await nextElement() }
}
