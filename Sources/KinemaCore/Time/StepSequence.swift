/// A temporal sequence made by applying a step to another one lazily; each iterator has a copy of the step.
package struct StepSequence<Base, Step>: TemporalSequence
where Base: TemporalSequence, Step: TemporalStep, Base.Feature == Step.Input {
    package typealias Feature = Step.Output
    package typealias Element = TemporalFeature<Step.Output>

    private let base: Base
    private let step: Step
    private let origin: any Any.Type
    private let eventHandler: EventHandler?

    /// Applies a step to a sequence; events are named after the type `origin`.
    package init(_ base: Base, step: Step, origin: any Any.Type, eventHandler: EventHandler?) {
        (self.base, self.step, self.origin, self.eventHandler) = (base, step, origin, eventHandler)
    }

    package var count: Int? { base.count.map(step.outputCount(inputCount:)) }

    package func makeAsyncIterator() -> Iterator {
        Iterator(
            base: base.makeAsyncIterator(), step: step,
            progress: ProgressReporter(origin: origin, total: count, eventHandler: eventHandler))
    }

    package struct Iterator: AsyncIteratorProtocol {
        var base: Base.AsyncIterator
        var step: Step
        let progress: ProgressReporter
        var done = 0
        var ended = false

        package mutating func next() async throws -> TemporalFeature<Step.Output>? {
            while !ended {
                guard let element = try await base.next() else {
                    ended = true
                    return step.finish()
                }
                guard let output = try step.push(element) else { continue }
                done += 1
                progress.report(done)
                return output
            }
            return nil
        }
    }
}
