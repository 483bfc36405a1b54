/// A temporal sequence that a step makes of another one while it is read.
///
/// Each reader gets a fresh copy of the step, so what one has read changes nothing for the next.
package struct StepSequence<Base, Step>: TemporalSequence
where Base: TemporalSequence, Step: TemporalStep, Base.Feature == Step.Input {
    package typealias Feature = Step.Output
    package typealias Element = TemporalFeature<Step.Output>

    private let base: Base
    private let step: Step
    private let origin: any Any.Type
    private let eventHandler: EventHandler?

    /// Applies a step to a sequence; events carry the name of the type that offers the step.
    package init(_ base: Base, step: Step, origin: any Any.Type, eventHandler: EventHandler?) {
        self.base = base
        self.step = step
        self.origin = origin
        self.eventHandler = eventHandler
    }

    package var count: Int? {
        base.count.map(step.outputCount(inputCount:))
    }

    package func makeAsyncIterator() -> Iterator {
        Iterator(
            base: base.makeAsyncIterator(), step: step,
            progress: ProgressReporter(origin: origin, total: count, eventHandler: eventHandler))
    }

    /// Feeds the step until it makes something.
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
                    return reported(step.finish())
                }
                if let output = step.push(element) { return reported(output) }
            }
            return nil
        }

        private mutating func reported(
            _ output: TemporalFeature<Step.Output>?
        ) -> TemporalFeature<Step.Output>? {
            guard output != nil else { return nil }
            done += 1
            progress.report(done)
            return output
        }
    }
}
