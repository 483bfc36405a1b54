/// An asynchronous sequence of timed values, in strictly increasing order of `id.range`'s start.
public protocol TemporalSequence<Feature>: AsyncSequence where Element == TemporalFeature<Feature> {
    /// The value of each element.
    associatedtype Feature

    /// The number of elements, if known before reading.
    var count: Int? { get }
}
