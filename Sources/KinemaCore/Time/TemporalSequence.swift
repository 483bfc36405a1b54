public import Foundation

/// An asynchronous sequence of timed values, in strictly increasing order of `id.range`'s start.
public protocol TemporalSequence<Feature>: AsyncSequence where Element == TemporalFeature<Feature> {
    /// The value of each element.
    associatedtype Feature

    /// The number of elements, if known before reading.
    var count: Int? { get }
}

/// A value with its time range in a stream.
public struct TemporalFeature<Feature>: Identifiable {
    /// The time range and its stream.
    public var id: TemporalSegmentIdentifier
    /// The value.
    public var feature: Feature

    /// Creates a timed value from its time range and its content.
    public init(id: TemporalSegmentIdentifier, feature: Feature) { (self.id, self.feature) = (id, feature) }
}

extension TemporalFeature: Sendable where Feature: Sendable {}
extension TemporalFeature: Equatable where Feature: Equatable {}
extension TemporalFeature: Hashable where Feature: Hashable {}
extension TemporalFeature: Encodable where Feature: Encodable {}
extension TemporalFeature: Decodable where Feature: Decodable {}

/// A time range of a stream in exact ticks of 1/`timescale` s from the stream's first frame.
public struct TemporalSegmentIdentifier: Hashable, Sendable, Codable {
    /// The stream: a file's full path, a device, or an address.
    public var source: String
    /// The range in ticks; the lower bound is when the frame is shown.
    public var range: Range<Int>
    /// Ticks a second.
    public var timescale: Int

    /// Creates an identifier from a source, a range of ticks and the number of ticks a second.
    public init(source: String, range: Range<Int>, timescale: Int) {
        precondition(timescale > 0, "a time scale is at least one tick a second")
        (self.source, self.range, self.timescale) = (source, range, timescale)
    }

    /// The range in seconds.
    public var rangeInSeconds: Range<TimeInterval> { seconds(range.lowerBound)..<seconds(range.upperBound) }

    /// The length in seconds.
    public var durationInSeconds: TimeInterval { TimeInterval(range.count) / TimeInterval(timescale) }

    /// Whether this range starts later than another one of the same stream.
    func begins(after other: TemporalSegmentIdentifier) -> Bool {
        guard timescale != other.timescale else { return range.lowerBound > other.range.lowerBound }
        return seconds(range.lowerBound) > other.seconds(other.range.lowerBound)
    }

    private func seconds(_ ticks: Int) -> TimeInterval { TimeInterval(ticks) / TimeInterval(timescale) }
}

/// A time range of a video file.
public struct TemporalFileSegment: Hashable, Sendable, Codable {
    /// The file.
    public var url: URL
    /// The range in seconds from the file's first frame.
    public var range: Range<TimeInterval>

    /// Creates a segment from a file and a range in seconds from its first frame.
    public init(url: URL, range: Range<TimeInterval>) { (self.url, self.range) = (url, range) }
}

/// A type-erased temporal sequence.
public struct AnyTemporalSequence<Feature>: TemporalSequence {
    /// A value with its time range.
    public typealias Element = TemporalFeature<Feature>
    /// Reads the sequence.
    public typealias Iterator = AnyTemporalIterator<Feature>

    /// The number of elements, if known.
    public let count: Int?
    private let makeIterator: () -> Iterator

    /// Erases the type of a temporal sequence.
    public init<S>(_ sequence: S) where S: TemporalSequence, S.Feature == Feature {
        self.init(sequence, count: sequence.count)
    }

    /// Creates a temporal sequence from any asynchronous sequence of timed values; `count` is nil if unknown.
    public init<S>(_ sequence: S, count: Int?) where S: AsyncSequence, S.Element == TemporalFeature<Feature> {
        self.init(count: count) {
            var base = sequence.makeAsyncIterator()
            return Iterator { try await base.next() }
        }
    }

    init(count: Int?, _ makeIterator: @escaping () -> Iterator) {
        (self.count, self.makeIterator) = (count, makeIterator)
    }

    /// Starts reading the sequence.
    public func makeAsyncIterator() -> Iterator { makeIterator() }
}

/// Reads a type-erased temporal sequence.
public struct AnyTemporalIterator<Feature>: AsyncIteratorProtocol {
    private let nextElement: () async throws -> TemporalFeature<Feature>?

    init(_ nextElement: @escaping () async throws -> TemporalFeature<Feature>?) { self.nextElement = nextElement }

    /// The next value, or nil at the end; throws the underlying sequence's error.
    public mutating func next() async throws -> TemporalFeature<Feature>? { try await nextElement() }
}

/// A temporal sequence read to its end and kept in memory, so that it can be read many times.
public struct PreprocessedFeatureSequence<Feature>: TemporalSequence {
    /// A value with its time range.
    public typealias Element = TemporalFeature<Feature>

    /// The elements in time order.
    public let features: [TemporalFeature<Feature>]

    /// Reads a temporal sequence to its end; throws the sequence's error.
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
    public func makeAsyncIterator() -> Iterator { Iterator(base: features.makeIterator()) }

    /// Reads the stored elements.
    public struct Iterator: AsyncIteratorProtocol {
        var base: IndexingIterator<[TemporalFeature<Feature>]>

        /// The next element, or nil at the end.
        public mutating func next() async -> TemporalFeature<Feature>? { base.next() }
    }
}

extension PreprocessedFeatureSequence: Sendable where Feature: Sendable {}

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

extension TemporalSegmentIdentifier {
    /// The identifier of a picture in memory, which has no time.
    package static let inMemory = TemporalSegmentIdentifier(source: "memory", range: 0..<1, timescale: 1)
}
