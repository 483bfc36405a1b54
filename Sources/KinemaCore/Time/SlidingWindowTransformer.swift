/// Gathers the elements of a temporal sequence into windows of equal length, which overlap when the stride is shorter.
///
/// Only full windows come out. A window's time goes from its first element's beginning to its last one's end.
public struct SlidingWindowTransformer<Input: Sendable>: TemporalTransformer, Sendable, Codable {
    /// The elements of a window in time order.
    public typealias Output = [Input]
    /// The sequence of windows.
    public typealias OutputSequence = WindowSequence

    /// How many elements lie between the beginnings of two windows.
    public let stride: Int
    /// How many elements a window holds.
    public let length: Int

    /// Makes windows of `length` elements every `stride` elements; both are at least 1.
    public init(stride: Int, length: Int) {
        precondition(stride > 0 && length > 0, "a window has a length and a stride of at least 1")
        self.stride = stride
        self.length = length
    }

    /// Gathers windows while the output is read.
    public func applied<S>(to input: S, eventHandler: EventHandler? = nil) throws -> WindowSequence
    where S: TemporalSequence, Input == S.Feature {
        let step = SlidingWindow<Input>(stride: stride, length: length)
        return WindowSequence(
            base: AnyTemporalSequence(
                StepSequence(input, step: step, origin: Self.self, eventHandler: eventHandler)))
    }

    /// The sequence of windows.
    public struct WindowSequence: TemporalSequence {
        /// The elements of a window in time order.
        public typealias Feature = [Input]
        /// A window in time.
        public typealias Element = TemporalFeature<[Input]>

        let base: AnyTemporalSequence<[Input]>

        /// How many windows there will be, if that is known.
        public var count: Int? { base.count }

        /// Starts to read the sequence.
        public func makeAsyncIterator() -> Iterator {
            Iterator(base: base.makeAsyncIterator())
        }

        /// Reads the windows.
        public struct Iterator: AsyncIteratorProtocol {
            var base: AnyTemporalIterator<[Input]>

            /// The next window, or nil at the end; throws what the input throws.
            public mutating func next() async throws -> TemporalFeature<[Input]>? {
                try await base.next()
            }
        }
    }
}
