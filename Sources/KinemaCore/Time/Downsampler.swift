/// Keeps every Nth element of a temporal sequence: the first of each group.
public struct Downsampler<Input: Sendable>: TemporalTransformer, Sendable, Codable {
    /// Elements pass unchanged.
    public typealias Output = Input
    /// The downsampled sequence.
    public typealias DownStreamSequence = AnyTemporalSequence<Input>

    /// Every `factor`th element is kept.
    public let factor: Int

    /// Keeps every `factor`th element; `factor` is at least 1.
    public init(factor: Int) {
        precondition(factor > 0, "a downsampling factor is at least 1")
        self.factor = factor
    }

    /// Downsamples a sequence as the output is read.
    public func applied<S>(to input: S, eventHandler: EventHandler?) throws -> DownStreamSequence
    where S: TemporalSequence, Input == S.Feature {
        AnyTemporalSequence(
            StepSequence(
                input, step: Downsampling(factor: factor), origin: Self.self, eventHandler: eventHandler))
    }
}

struct Downsampling<Input>: TemporalStep {
    private let factor: Int
    private var position = 0

    init(factor: Int) { self.factor = factor }

    mutating func push(_ element: TemporalFeature<Input>) -> TemporalFeature<Input>? {
        defer { position = (position + 1) % factor }
        return position == 0 ? element : nil
    }

    func outputCount(inputCount: Int) -> Int { (inputCount + factor - 1) / factor }
}
