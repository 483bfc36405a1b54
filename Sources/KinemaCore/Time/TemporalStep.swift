/// One step of an analysis over time, as a plain value; `StepSequence` turns it into a temporal sequence.
package protocol TemporalStep<Input, Output> {
    associatedtype Input
    associatedtype Output

    /// Takes the next element and returns an output if one is complete.
    mutating func push(_ element: TemporalFeature<Input>) throws -> TemporalFeature<Output>?

    /// Returns what only the end of the input shows, if anything.
    mutating func finish() -> TemporalFeature<Output>?

    func outputCount(inputCount: Int) -> Int
}

extension TemporalStep {
    package mutating func finish() -> TemporalFeature<Output>? { nil }
}
