/// Keeps one of every few elements of a temporal sequence: the first of each group.
public struct Downsampler<Input: Sendable>: TemporalTransformer, Sendable, Codable {
    /// What comes out is what went in.
    public typealias Output = Input
    /// The thinned sequence.
    public typealias OutputSequence = DownStreamSequence

    /// One of so many elements is kept.
    public let factor: Int

    /// Keeps one of every `factor` elements; `factor` is at least 1.
    public init(factor: Int) {
        precondition(factor > 0, "a downsampling factor is at least 1")
        self.factor = factor
    }

    /// Thins a sequence while the output is read.
    public func applied<S>(to input: S, eventHandler: EventHandler?) throws -> DownStreamSequence
    where S: TemporalSequence, Input == S.Feature {
        let step = Downsampling<Input>(factor: factor)
        return DownStreamSequence(
            base: AnyTemporalSequence(
                StepSequence(input, step: step, origin: Self.self, eventHandler: eventHandler)))
    }

    /// The thinned sequence.
    public struct DownStreamSequence: TemporalSequence {
        /// What each element holds.
        public typealias Feature = Input
        /// A value in time.
        public typealias Element = TemporalFeature<Input>

        let base: AnyTemporalSequence<Input>

        /// How many elements there will be, if that is known.
        public var count: Int? { base.count }

        /// Starts to read the sequence.
        public func makeAsyncIterator() -> Iterator {
            Iterator(base: base.makeAsyncIterator())
        }

        /// Reads the thinned sequence.
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
