/// An asynchronous sequence of values in time.
///
/// Elements come in time order: each `id.range` starts after the one before.
public protocol TemporalSequence<Feature>: AsyncSequence where Element == TemporalFeature<Feature> {
    /// What each element holds beside its time.
    associatedtype Feature

    /// How many elements there will be, if that is known before reading.
    var count: Int? { get }
}
