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

/// Receives the events of a transformer; called on the task that does the work.
public typealias EventHandler = @Sendable (Event) -> Void

/// The name of a metric.
public struct MetricsKey: RawRepresentable, Hashable, Sendable, Codable {
    /// The metric's name, equal to the name of the static property.
    public let rawValue: String

    /// Creates a key from a metric's name; any name is accepted.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The source of the item.
    public static let source = MetricsKey(rawValue: "source")
    /// The share of training and of validation examples predicted correctly.
    public static let trainingAccuracy = MetricsKey(rawValue: "trainingAccuracy"),
        validationAccuracy = MetricsKey(rawValue: "validationAccuracy")
    /// The error, the loss and the largest error over the training examples.
    public static let trainingError = MetricsKey(rawValue: "trainingError"),
        trainingLoss = MetricsKey(rawValue: "trainingLoss"),
        trainingMaximumError = MetricsKey(rawValue: "trainingMaximumError")
    /// The same over the validation examples.
    public static let validationError = MetricsKey(rawValue: "validationError"),
        validationLoss = MetricsKey(rawValue: "validationLoss"),
        validationMaximumError = MetricsKey(rawValue: "validationMaximumError")
}

/// Reports counts of finished items as events with one origin.
package struct ProgressReporter: Sendable {
    private let origin: String
    private let total: Int?
    private let eventHandler: EventHandler?

    package init(origin: any Any.Type, total: Int? = nil, eventHandler: EventHandler?) {
        // Make the name only if someone listens: it costs more than many a step.
        self.origin = eventHandler == nil ? "" : String(describing: origin)
        (self.total, self.eventHandler) = (total, eventHandler)
    }

    package func report(_ count: Int) {
        eventHandler?(Event(origin: origin, itemCount: count, totalItemCount: total, metrics: [:]))
    }
}
