public import KinemaCore

/// Counts repetitions of a person's movement from windows of poses.
///
/// Windows may have any length and overlap: each frame counts once and the total never falls. The total moves on while
/// a repetition is under way, by less than a half; rounded it is the number of finished repetitions. Unlike Apple's, it
/// needs no downsampling for slow movements.
public struct HumanBodyActionCounter: TemporalTransformer, Sendable, Codable {
    /// A window of one person's poses.
    public typealias Input = [Pose]
    /// The running total of repetitions.
    public typealias Output = Float
    /// The running totals, one for each window.
    public typealias OutputSequence = CumulativeSumSequence

    /// Width divided by height of the pictures.
    public var aspectRatio: Double

    /// Counts in pictures of common shape, 4 : 3.
    public init() {
        self.init(aspectRatio: 4.0 / 3)
    }

    /// Counts in pictures of the given width divided by height.
    public init(aspectRatio: Double) {
        self.aspectRatio = aspectRatio
    }

    /// Counts while the output is read.
    public func applied<S>(to input: S, eventHandler: EventHandler? = nil) async throws -> CumulativeSumSequence
    where S: TemporalSequence, S.Feature == [Pose] {
        let step = WindowedCounting(aspectRatio: aspectRatio)
        return CumulativeSumSequence(
            base: AnyTemporalSequence(
                StepSequence(input, step: step, origin: Self.self, eventHandler: eventHandler)))
    }

    /// The running total of repetitions, one for each window.
    public struct CumulativeSumSequence: TemporalSequence {
        /// The running total of repetitions.
        public typealias Feature = Float
        /// A total and the window it was known after.
        public typealias Element = TemporalFeature<Float>

        let base: AnyTemporalSequence<Float>

        /// How many totals there will be, if that is known.
        public var count: Int? { base.count }

        /// Starts to read the totals.
        public func makeAsyncIterator() -> Iterator {
            Iterator(base: base.makeAsyncIterator())
        }

        /// Reads the totals.
        public struct Iterator: AsyncIteratorProtocol {
            var base: AnyTemporalIterator<Float>

            /// The next total, or nil at the end; throws what the input throws.
            public mutating func next() async throws -> TemporalFeature<Float>? {
                try await base.next()
            }
        }
    }
}
