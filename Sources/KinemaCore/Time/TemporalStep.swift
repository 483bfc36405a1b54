/// One step of an analysis over time, as a plain value: elements go in one by one, now and then one comes out.
///
/// Steps hold the rules; `StepSequence` makes a temporal sequence of any of them.
package protocol TemporalStep<Input, Output> {
    /// What each input element holds.
    associatedtype Input
    /// What each output element holds.
    associatedtype Output

    /// Takes the next element and returns an output if one is complete.
    mutating func push(_ element: TemporalFeature<Input>) -> TemporalFeature<Output>?

    /// Takes note that the input ended and returns the last output if one is left.
    mutating func finish() -> TemporalFeature<Output>?

    /// How many outputs a number of inputs makes.
    func outputCount(inputCount: Int) -> Int
}

extension TemporalStep {
    /// Nothing is left at the end.
    package mutating func finish() -> TemporalFeature<Output>? { nil }
}
