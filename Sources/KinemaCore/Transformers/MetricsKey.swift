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
