/// The progress and the metrics of a transformer.
public struct Event: Sendable {
    /// The reporter, usually the name of the transformer's type.
    public var origin: String
    /// Items done.
    public var itemCount: Int
    /// All items, if known.
    public var totalItemCount: Int?
    /// The metrics so far.
    public var metrics: [MetricsKey: any Sendable]

    /// Creates an event from its origin, the items done, all items and the metrics.
    public init(origin: String, itemCount: Int, totalItemCount: Int? = nil, metrics: [MetricsKey: any Sendable]) {
        (self.origin, self.itemCount, self.totalItemCount) = (origin, itemCount, totalItemCount)
        self.metrics = metrics
    }
}
