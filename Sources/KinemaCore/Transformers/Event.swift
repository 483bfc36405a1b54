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

/// Names a value in an event's metrics.
public struct MetricsKey: RawRepresentable, Hashable, Sendable, Codable {
    /// The metric's name, equal to the name of the static property.
    public let rawValue: String

    /// Makes a key from a metric's name; any name is accepted.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Where the item came from.
    public static let source = MetricsKey(rawValue: "source")
    /// The share of training examples predicted right.
    public static let trainingAccuracy = MetricsKey(rawValue: "trainingAccuracy")
    /// The error over the training examples.
    public static let trainingError = MetricsKey(rawValue: "trainingError")
    /// The loss over the training examples.
    public static let trainingLoss = MetricsKey(rawValue: "trainingLoss")
    /// The largest error among the training examples.
    public static let trainingMaximumError = MetricsKey(rawValue: "trainingMaximumError")
    /// The share of validation examples predicted right.
    public static let validationAccuracy = MetricsKey(rawValue: "validationAccuracy")
    /// The error over the validation examples.
    public static let validationError = MetricsKey(rawValue: "validationError")
    /// The loss over the validation examples.
    public static let validationLoss = MetricsKey(rawValue: "validationLoss")
    /// The largest error among the validation examples.
    public static let validationMaximumError = MetricsKey(rawValue: "validationMaximumError")
}

/// What is said about an exported model.
public struct ModelMetadata: Hashable, Sendable {
    /// What the model does.
    public var description: String
    /// Its version.
    public var version: String
    /// Who made it.
    public var author: String
    /// Under which licence it may be used.
    public var license: String
    /// Anything else, by name.
    public var creatorDefined: [String: String]

    /// Makes metadata; what is left out is empty.
    public init(
        description: String = "", version: String = "", author: String = "", license: String = "",
        creatorDefined: [String: String] = [:]
    ) {
        self.description = description
        self.version = version
        self.author = author
        self.license = license
        self.creatorDefined = creatorDefined
    }
}

/// Turns counts of done items into events with one origin.
package struct ProgressReporter: Sendable {
    private let origin: String
    private let total: Int?
    private let eventHandler: EventHandler?

    /// Makes a reporter named after a type; without a handler it does nothing.
    package init(origin: any Any.Type, total: Int? = nil, eventHandler: EventHandler?) {
        // The name is made only when someone listens: it costs more than many a step.
        self.origin = eventHandler == nil ? "" : String(describing: origin)
        self.total = total
        self.eventHandler = eventHandler
    }

    /// Tells the handler how many items are done.
    package func report(_ count: Int) {
        eventHandler?(Event(origin: origin, itemCount: count, totalItemCount: total, metrics: [:]))
    }
}
