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
