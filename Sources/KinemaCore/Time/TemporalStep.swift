/// One step of an analysis over time, as a plain value: takes elements one by one and sometimes returns one.
///
/// Steps hold the rules; `StepSequence` turns any of them into a temporal sequence.
package protocol TemporalStep<Input, Output> {
    /// The value of each input element.
    associatedtype Input
    /// The value of each output element.
    associatedtype Output

    /// Takes the next element and returns an output if one is complete.
    mutating func push(_ element: TemporalFeature<Input>) -> TemporalFeature<Output>?

    /// Ends the input and returns the last output, if there is one.
    mutating func finish() -> TemporalFeature<Output>?

    /// The number of outputs for a number of inputs.
    func outputCount(inputCount: Int) -> Int
}

extension TemporalStep {
    /// By default nothing is left at the end.
    package mutating func finish() -> TemporalFeature<Output>? { nil }
}

/// A temporal sequence made by applying a step to another one as it is read.
///
/// Each iterator gets a fresh copy of the step, so iterations do not affect each other.
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

    /// Feeds the step until it returns an output.
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

/// A temporal sequence read to its end and kept in memory, so that it can be read many times.
public struct PreprocessedFeatureSequence<Feature>: TemporalSequence {
    /// A value with its time range.
    public typealias Element = TemporalFeature<Feature>

    /// The elements in time order.
    public let features: [TemporalFeature<Feature>]

    /// Reads a temporal sequence to its end; throws what the sequence throws.
    public init<S>(_ sequence: S) async throws where S: TemporalSequence, S.Feature == Feature {
        var features: [TemporalFeature<Feature>] = []
        features.reserveCapacity(sequence.count ?? 0)
        for try await element in sequence {
            features.append(element)
        }
        self.features = features
    }

    /// The number of elements.
    public var count: Int? { features.count }

    /// Starts reading from the first element.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: features.makeIterator())
    }

    /// Reads the stored elements.
    public struct Iterator: AsyncIteratorProtocol {
        var base: IndexingIterator<[TemporalFeature<Feature>]>

        /// The next element, or nil at the end.
        public mutating func next() async -> TemporalFeature<Feature>? {
            base.next()
        }
    }
}

extension PreprocessedFeatureSequence: Sendable where Feature: Sendable {}
