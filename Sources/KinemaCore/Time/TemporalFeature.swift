public import Foundation

/// A value with its time range in a stream.
public struct TemporalFeature<Feature>: Identifiable {
    /// The time range and its stream.
    public var id: TemporalSegmentIdentifier
    /// The value.
    public var feature: Feature

    /// Makes a timed value from its time range and its content.
    public init(id: TemporalSegmentIdentifier, feature: Feature) {
        self.id = id
        self.feature = feature
    }
}

extension TemporalFeature: Sendable where Feature: Sendable {}
extension TemporalFeature: Equatable where Feature: Equatable {}
extension TemporalFeature: Hashable where Feature: Hashable {}
extension TemporalFeature: Encodable where Feature: Encodable {}
extension TemporalFeature: Decodable where Feature: Decodable {}

/// A time range of a stream, in the stream's own time base.
///
/// `range` counts ticks of 1/`timescale` s from the stream's first frame, so nothing is rounded.
public struct TemporalSegmentIdentifier: Hashable, Sendable, Codable {
    /// The stream: a file's full path, a device, or an address.
    public var source: String
    /// The range in ticks; the lower bound is when the frame is shown.
    public var range: Range<Int>
    /// Ticks a second.
    public var timescale: Int

    /// Makes an identifier from a source, a range of ticks and the number of ticks a second.
    public init(source: String, range: Range<Int>, timescale: Int) {
        precondition(timescale > 0, "a time scale is at least one tick a second")
        self.source = source
        self.range = range
        self.timescale = timescale
    }

    /// The range in seconds.
    public var rangeInSeconds: Range<TimeInterval> {
        seconds(range.lowerBound)..<seconds(range.upperBound)
    }

    /// The length in seconds.
    public var durationInSeconds: TimeInterval {
        TimeInterval(range.count) / TimeInterval(timescale)
    }

    /// Whether this range starts later than another one of the same stream.
    func begins(after other: TemporalSegmentIdentifier) -> Bool {
        guard timescale != other.timescale else { return range.lowerBound > other.range.lowerBound }
        return seconds(range.lowerBound) > other.seconds(other.range.lowerBound)
    }

    private func seconds(_ ticks: Int) -> TimeInterval {
        TimeInterval(ticks) / TimeInterval(timescale)
    }
}

/// A time range of a video file.
public struct TemporalFileSegment: Hashable, Sendable, Codable {
    /// The file.
    public var url: URL
    /// The range in seconds from the file's first frame.
    public var range: Range<TimeInterval>

    /// Makes a segment from a file and a range in seconds from its first frame.
    public init(url: URL, range: Range<TimeInterval>) {
        self.url = url
        self.range = range
    }
}

/// An asynchronous sequence of timed values.
///
/// Elements are in time order: each `id.range` starts after the one before.
public protocol TemporalSequence<Feature>: AsyncSequence where Element == TemporalFeature<Feature> {
    /// The value of each element.
    associatedtype Feature

    /// The number of elements, if known before reading.
    var count: Int? { get }
}

/// A type-erased temporal sequence.
public struct AnyTemporalSequence<Feature>: TemporalSequence {
    /// A value with its time range.
    public typealias Element = TemporalFeature<Feature>
    /// Reads the sequence.
    public typealias AsyncIterator = AnyTemporalIterator<Feature>

    /// The number of elements, if known.
    public let count: Int?
    private let makeIterator: () -> AnyTemporalIterator<Feature>

    /// Erases the type of a temporal sequence.
    public init<S>(_ sequence: S) where S: TemporalSequence, S.Feature == Feature {
        count = sequence.count
        makeIterator = { AnyTemporalIterator(sequence.makeAsyncIterator()) }
    }

    /// Makes a temporal sequence from any asynchronous sequence of timed values, such as an `AsyncChannel`.
    ///
    /// `count` is the number of elements; nil if unknown.
    public init<S>(_ sequence: S, count: Int?) where S: AsyncSequence, S.Element == TemporalFeature<Feature> {
        self.count = count
        makeIterator = { AnyTemporalIterator(sequence.makeAsyncIterator()) }
    }

    /// Starts reading the sequence.
    public func makeAsyncIterator() -> AnyTemporalIterator<Feature> {
        makeIterator()
    }
}

/// Reads a type-erased temporal sequence.
public struct AnyTemporalIterator<Feature>: AsyncIteratorProtocol {
    private let box: IteratorBox<Feature>

    init<Base>(_ base: Base) where Base: AsyncIteratorProtocol, Base.Element == TemporalFeature<Feature> {
        box = ConcreteIteratorBox(base)
    }

    /// The next value, or nil at the end; throws what the underlying sequence throws.
    public mutating func next() async throws -> TemporalFeature<Feature>? {
        try await box.next()
    }
}

/// The type-erased base of an iterator.
private class IteratorBox<Feature> {
    func next() async throws -> TemporalFeature<Feature>? { nil }
}

/// An iterator of a known type.
private final class ConcreteIteratorBox<Base, Feature>: IteratorBox<Feature>
where Base: AsyncIteratorProtocol, Base.Element == TemporalFeature<Feature> {
    private var base: Base

    init(_ base: Base) {
        self.base = base
    }

    override func next() async throws -> TemporalFeature<Feature>? {
        try await base.next()
    }
}
