public import Foundation

/// A value together with the stretch of the stream it describes.
public struct TemporalFeature<Feature>: Identifiable {
    /// Which stretch of which stream.
    public var id: TemporalSegmentIdentifier
    /// The value.
    public var feature: Feature

    /// Makes a value from its stretch and its content.
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

/// Which stretch of which stream a value belongs to, in the stream's own time base.
///
/// `range` counts ticks of 1/`timescale` s from the stream's first frame, so no rounding enters.
public struct TemporalSegmentIdentifier: Hashable, Sendable, Codable {
    /// The stream: a file's full path, a device, or an address.
    public var source: String
    /// The stretch in ticks; the lower bound is the moment the frame is shown.
    public var range: Range<Int>
    /// Ticks in a second.
    public var timescale: Int

    /// Makes an identifier from a source, a range of ticks and the number of ticks in a second.
    public init(source: String, range: Range<Int>, timescale: Int) {
        precondition(timescale > 0, "a time scale is at least one tick a second")
        self.source = source
        self.range = range
        self.timescale = timescale
    }

    /// The stretch in seconds.
    public var rangeInSeconds: Range<TimeInterval> {
        seconds(range.lowerBound)..<seconds(range.upperBound)
    }

    /// The length in seconds.
    public var durationInSeconds: TimeInterval {
        TimeInterval(range.count) / TimeInterval(timescale)
    }

    /// Whether this stretch begins later than another one of the same stream.
    func begins(after other: TemporalSegmentIdentifier) -> Bool {
        guard timescale != other.timescale else { return range.lowerBound > other.range.lowerBound }
        return seconds(range.lowerBound) > other.seconds(other.range.lowerBound)
    }

    private func seconds(_ ticks: Int) -> TimeInterval {
        TimeInterval(ticks) / TimeInterval(timescale)
    }
}

/// A stretch of a video file.
public struct TemporalFileSegment: Hashable, Sendable, Codable {
    /// The file.
    public var url: URL
    /// The stretch in seconds from the file's first frame.
    public var range: Range<TimeInterval>

    /// Names a stretch of a file in seconds from its first frame.
    public init(url: URL, range: Range<TimeInterval>) {
        self.url = url
        self.range = range
    }
}

/// An asynchronous sequence of values in time.
///
/// Elements come in time order: each `id.range` starts after the one before.
public protocol TemporalSequence<Feature>: AsyncSequence where Element == TemporalFeature<Feature> {
    /// What each element holds beside its time.
    associatedtype Feature

    /// How many elements there will be, if that is known before reading.
    var count: Int? { get }
}

/// A temporal sequence of any kind, known only by what its elements hold.
public struct AnyTemporalSequence<Feature>: TemporalSequence {
    /// A value in time.
    public typealias Element = TemporalFeature<Feature>
    /// Reads the sequence.
    public typealias AsyncIterator = AnyTemporalIterator<Feature>

    /// How many elements there will be, if that is known.
    public let count: Int?
    private let makeIterator: () -> AnyTemporalIterator<Feature>

    /// Hides the kind of a temporal sequence.
    public init<S>(_ sequence: S) where S: TemporalSequence, S.Feature == Feature {
        count = sequence.count
        makeIterator = { AnyTemporalIterator(sequence.makeAsyncIterator()) }
    }

    /// Makes a temporal sequence of any asynchronous sequence of values in time, such as an `AsyncChannel`.
    ///
    /// `count` is the number of elements there will be, nil if that is not known.
    public init<S>(_ sequence: S, count: Int?) where S: AsyncSequence, S.Element == TemporalFeature<Feature> {
        self.count = count
        makeIterator = { AnyTemporalIterator(sequence.makeAsyncIterator()) }
    }

    /// Starts to read the sequence.
    public func makeAsyncIterator() -> AnyTemporalIterator<Feature> {
        makeIterator()
    }
}

/// Reads a temporal sequence of any kind.
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

/// The part of an iterator that does not depend on its type.
private class IteratorBox<Feature> {
    func next() async throws -> TemporalFeature<Feature>? { nil }
}

/// Holds an iterator of a known type.
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
