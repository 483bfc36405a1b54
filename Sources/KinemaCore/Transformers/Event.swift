/// What a transformer reports while it works: how far it is and what it measured.
public struct Event: Sendable {
    /// Who reports, usually the name of the transformer's type.
    public var origin: String
    /// How many items are done.
    public var itemCount: Int
    /// How many items there are, if that is known.
    public var totalItemCount: Int?
    /// What was measured so far.
    public var metrics: [MetricsKey: any Sendable]

    /// Makes a report from its origin, the items done, the items there are, and what was measured.
    public init(origin: String, itemCount: Int, totalItemCount: Int? = nil, metrics: [MetricsKey: any Sendable]) {
        self.origin = origin
        self.itemCount = itemCount
        self.totalItemCount = totalItemCount
        self.metrics = metrics
    }
}

/// Receives the reports of a transformer; called on whatever task does the work.
public typealias EventHandler = @Sendable (Event) -> Void
